// The loops of text_kernels.hpp, for one instruction set.
#pragma once

#include <algorithm>

#include "text_kernels.hpp"
#include "text_lanes.hpp"

namespace noregret {
namespace {

// Sixty-four bytes, and which of them are a given one.
struct Chunk {
#if defined(__AVX512BW__)
  explicit NOREGRET_LANES Chunk(const char* at) : parts{_mm512_loadu_si512(at)} {}
  NOREGRET_LANES std::uint64_t are(char c) const { return _mm512_cmpeq_epi8_mask(parts[0], _mm512_set1_epi8(c)); }
  __m512i parts[1];
#elif defined(__AVX2__)
  explicit NOREGRET_LANES Chunk(const char* at) : parts{half(at), half(at + 32)} {}
  static NOREGRET_LANES __m256i half(const char* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
  NOREGRET_LANES std::uint64_t are(char c) const {
    const auto bits = [&](int k) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(parts[k], _mm256_set1_epi8(c)))); };
    return bits(0) | std::uint64_t{bits(1)} << 32;
  }
  __m256i parts[2];
#elif defined(__SSE2__)
  explicit NOREGRET_LANES Chunk(const char* at) { std::memcpy(parts, at, sizeof parts); }
  NOREGRET_LANES std::uint64_t are(char c) const {
    std::uint64_t bits = 0;
    for (int k = 3; k >= 0; --k) bits = bits << 16 | static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(parts[k], _mm_set1_epi8(c))));
    return bits;
  }
  __m128i parts[4];
#else
  explicit NOREGRET_LANES Chunk(const char* at) { std::memcpy(parts, at, sizeof parts); }
  NOREGRET_LANES std::uint64_t are(char c) const {
    std::uint64_t bits = 0;
    for (int k = 63; k >= 0; --k) bits = bits << 1 | static_cast<std::uint64_t>(parts[k] == c);
    return bits;
  }
  char parts[64];
#endif
};

#if defined(__AVX512VBMI2__)
// 0, 1, 2, … 63
NOREGRET_LANES __m512i counting() {
  alignas(64) std::uint8_t bytes[64];
  for (int k = 0; k < 64; ++k) bytes[k] = static_cast<std::uint8_t>(k);
  return _mm512_load_si512(bytes);
}
#endif

// Writes the places of the bits.
NOREGRET_LANES std::size_t spread(std::uint64_t bits, std::size_t begin, std::uint32_t* to) {
  const auto count = static_cast<std::size_t>(std::popcount(bits));
#if defined(__AVX512VBMI2__)
  const __m128i near = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(bits, counting()));
  _mm512_storeu_si512(to, _mm512_add_epi32(_mm512_cvtepu8_epi32(near), _mm512_set1_epi32(static_cast<int>(begin))));
  if (count <= 16) return count;
#elif defined(__AVX512F__)
  __m512i sixteen = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  sixteen = _mm512_add_epi32(sixteen, _mm512_set1_epi32(static_cast<int>(begin)));
  for (int k = 0; k < 64; k += 16, sixteen = _mm512_add_epi32(sixteen, _mm512_set1_epi32(16))) {
    const auto some = static_cast<std::uint16_t>(bits >> k);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(some, sixteen));
    to += std::popcount(some);
  }
  return count;
#endif
  // Eight at a time whether there are so many or not: their number would be guessed wrong.
  for (std::size_t done = 0; done < count; done += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      to[done + k] = static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
    }
  }
  return count;
}

NOREGRET_LANES void note(const Chunk& chunk, std::uint64_t inside, std::size_t begin, TokenEnds what, Places& places) {
  const std::uint64_t stops = (chunk.are('\n') | chunk.are(what.stop)) & inside;
  const std::uint64_t ends = ((chunk.are(' ') | chunk.are('\t') | chunk.are(what.blank)) & inside) | stops;
  for (std::uint64_t left = stops; left != 0; left &= left - 1) {
    const std::uint64_t before = (left & (0 - left)) - 1;
    places.stops[places.stop_count++] = static_cast<std::uint32_t>(places.end_count) + static_cast<std::uint32_t>(std::popcount(ends & before));
  }
  places.colon_count += spread(chunk.are(':') & inside, begin, places.colons + places.colon_count);
  places.end_count += spread(ends, begin, places.ends + places.end_count);
}

inline void find(const char* text, std::size_t begin, std::size_t end, TokenEnds what, Places& places) {
  for (; begin + 64 <= end; begin += 64) note(Chunk(text + begin), ~std::uint64_t{0}, begin, what, places);
  if (begin == end) return;
  char rest[64] = {};
  std::memcpy(rest, text + begin, end - begin);
  note(Chunk(rest), (std::uint64_t{1} << (end - begin)) - 1, begin, what, places);
}

struct Pairs {
  using L = Lanes;
  using Words = L::Words;
  static constexpr std::uint64_t kZeros = '0' * L::kEach, kSign = std::uint64_t{1} << 63;

  // How far the last `length` bytes of a word are from its beginning, in bits.
  static NOREGRET_LANES Words bits_before(Words length) { return (8 - length) * 8 & 63; }
  // All ones where the length is not 1 to 8.
  static NOREGRET_LANES Words unfit(Words length) { return L::some((length - 1) & ~std::uint64_t{7}); }

  // The names as numbers; all ones where they are none, or have a 0 in front.
  static NOREGRET_LANES Words names(const char* text, Words begin, Words colon) {
    const Words length = colon - begin - 1, before = bits_before(length);
    const Words digits = (L::fetched(text, colon) ^ kZeros) >> before;
    const Words zero_in_front = reinterpret_cast<Words>((digits & 0xff) == 0) & L::some(length - 1);
    return L::number(digits << before) | unfit(length) | zero_in_front | L::no_digits(digits);
  }

  // Values such as 0.1234567 or -0.12345678 have nothing in front of their point: it is left out of their length, with what stands before it.
  struct Fractions {
    Words are = {}, signs = {};  // all ones where there is one; where it has a minus, its sign
  };
  static NOREGRET_LANES Fractions shorten(const char* text, Words colon, Words end, Words& length) {
    const Words seen = colon + 4 < end ? colon + 4 : end;  // three characters tell, if there are so many
    const Words start = L::fetched(text, seen) >> ((9 + colon - seen) * 8 & 63);
    const Words minus = reinterpret_cast<Words>((start & 0xff) == '-');
    const Words are = reinterpret_cast<Words>((start >> (minus & 8) & 0xffff) == ('0' | '.' << 8));
    length -= are & (2 - minus);  // all ones are −1
    return {are, are & minus & kSign};
  }

  // The highest bit of `unread` is set where the value is written in another way.
  template <bool kLong>
  static NOREGRET_LANES L::Doubles values(const char* text, Words colon, Words end, Words& unread) {
    Words length = end - colon - 1;
    Fractions fractions;
    if constexpr (kLong) fractions = shorten(text, colon, end, length);
    const Words before = bits_before(length), kept = ~Words{} << before, first = (Words{} + 0xff) << before;
    const Words word = L::fetched(text, end) & kept;
    const Words point = L::bytes_equal(word, '.'), minus = L::bytes_equal(word, '-'), marks = point | minus;
    const Words in_front = (point & (0 - point)) - 1, behind = ~in_front << 8;  // of the first point; without one all is in front
    const Words digits = (word ^ kZeros) & kept & ~marks;
    const Words joined = ((digits & in_front) << (L::some(point) & 8)) | (digits & behind);
    unread |= unfit(length) | L::no_digits(digits) | L::some(minus & ~first) | L::some(point & behind);
    unread |= reinterpret_cast<Words>((kept & ~marks) == 0);
    L::Doubles scale = L::power_of_ten(L::counted(behind | (fractions.are & kept)));
    if constexpr (kLong) {
      unread |= fractions.are & L::some(marks);
      scale = reinterpret_cast<Words>(length == 8) & fractions.are ? L::Doubles{} + 1e8 : scale;
    }
    const auto value = L::as_doubles(L::number(joined)) / scale;
    return reinterpret_cast<L::Doubles>(reinterpret_cast<Words>(value) | (L::some(minus) & kSign) | fractions.signs);
  }

  template <bool kLong>
  static std::size_t read(const char* text, const std::uint32_t* colons, const std::uint32_t* ends, std::size_t count, bool only_numbers,
                          std::int32_t* numbers, double* out) {
    const std::uint64_t needed = only_numbers ? kSign : 0;
    for (std::size_t done = 0; done < count; done += W) {
      const Words begin = L::places(ends + done - 1), colon = L::places(colons + done), end = L::places(ends + done);
      Words unread = colon - begin - 2;  // negative when the colon is not behind a name
      const auto value = values<kLong>(text, colon, end, unread);
      const Words number = names(text, begin, colon);
      unread |= number & needed;
      L::store(numbers + done, number);
      std::memcpy(out + done, &value, sizeof value);
      const unsigned bad = L::signs(unread);
      if (bad != 0) return std::min(count, done + static_cast<std::size_t>(std::countr_zero(bad)));
    }
    return count;
  }
};

}  // namespace
}  // namespace noregret
