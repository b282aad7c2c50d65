// W tokens at a time, each in a lane of eight bytes. W goes by what the compiler may use.
#pragma once

#include <bit>
#include <cstdint>

#include "../words.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define NOREGRET_LANES inline __attribute__((always_inline))

namespace noregret {
namespace {  // compiled once for each instruction set: nothing of it may be shared between them

#if defined(__AVX2__)
constexpr int W = 4;
#else
constexpr int W = 2;
#endif

struct Lanes {
  typedef std::uint64_t Words __attribute__((vector_size(W * 8)));
  typedef std::uint32_t Halves __attribute__((vector_size(W * 8)));
  typedef std::uint16_t Quarters __attribute__((vector_size(W * 8)));
  typedef std::uint8_t Bytes __attribute__((vector_size(W * 8)));
  typedef double Doubles __attribute__((vector_size(W * 8)));

  static constexpr std::uint64_t kEach = 0x0101010101010101u;  // a one in every byte

  // The eight bytes before each place.
  static NOREGRET_LANES Words fetched(const char* text, Words place) {
    Words words;
    for (int k = 0; k < W; ++k) words[k] = loaded<std::uint64_t>(text + place[k] - 8);
    return words;
  }
  static NOREGRET_LANES Words bytes_equal(Words words, std::uint8_t c) { return reinterpret_cast<Words>(reinterpret_cast<Bytes>(words) == c); }
  // All ones in a lane that has a byte above 9.
  static NOREGRET_LANES Words no_digits(Words words) { return some((words | (words + 0x76 * kEach)) & (0x80 * kEach)); }
  // All ones in a lane that has some bit.
  static NOREGRET_LANES Words some(Words words) { return reinterpret_cast<Words>(words != 0); }
  static NOREGRET_LANES Doubles as_doubles(Words number) {
    constexpr double kAnchor = 4503599627370496.0;  // 2⁵², whose last bit is a one
    return reinterpret_cast<Doubles>(number | std::bit_cast<std::uint64_t>(kAnchor)) - kAnchor;
  }

#if defined(__AVX2__)
  static NOREGRET_LANES Words places(const std::uint32_t* from) {
    return reinterpret_cast<Words>(_mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  }
  static NOREGRET_LANES void store(std::int32_t* to, Words words) {
    const __m256i first = _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(words), _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(first));
  }
  static NOREGRET_LANES Words number(Words digits) {
    const __m256i pairs = _mm256_maddubs_epi16(reinterpret_cast<__m256i>(digits), _mm256_set1_epi16(0x010a));
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
    return reinterpret_cast<Words>(_mm256_mul_epu32(fours, _mm256_set1_epi64x(10000))) + (reinterpret_cast<Words>(fours) >> 32);
  }
  static NOREGRET_LANES Words counted(Words masks) {
    return reinterpret_cast<Words>(_mm256_sad_epu8(reinterpret_cast<__m256i>(masks & kEach), _mm256_setzero_si256()));
  }
  static NOREGRET_LANES Doubles power_of_ten(Words exponent) {
    const Doubles low = {1e0, 1e1, 1e2, 1e3}, high = {1e4, 1e5, 1e6, 1e7};
    const auto halves = reinterpret_cast<__m256i>(exponent << 1 | exponent << 33 | std::uint64_t{1} << 32);  // the instruction is for these
    const __m256 of_low = _mm256_permutevar8x32_ps(reinterpret_cast<__m256>(low), halves);
    const __m256 of_high = _mm256_permutevar8x32_ps(reinterpret_cast<__m256>(high), halves);
    return _mm256_blendv_pd(reinterpret_cast<__m256d>(of_low), reinterpret_cast<__m256d>(of_high), reinterpret_cast<__m256d>(exponent << 61));
  }
  static NOREGRET_LANES unsigned signs(Words lanes) {
    return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(lanes)));
  }
#else
  static NOREGRET_LANES Words places(const std::uint32_t* from) { return Words{from[0], from[1]}; }
  static NOREGRET_LANES void store(std::int32_t* to, Words words) {
    for (int k = 0; k < W; ++k) to[k] = static_cast<std::int32_t>(words[k]);
  }
  // Eight digits, the first one lowest, as a number: neighbours are joined to pairs, pairs to fours, fours to the eight.
  static NOREGRET_LANES Words number(Words digits) {
    const auto single = reinterpret_cast<Quarters>(digits);
    const auto pairs = reinterpret_cast<Halves>((single & 0xff) * 10 + (single >> 8));
    const auto fours = reinterpret_cast<Words>((pairs & 0xffff) * 100 + (pairs >> 16));
    return (fours & 0xffffffff) * 10000 + (fours >> 32);
  }
  // How many bytes of each lane are all ones.
  static NOREGRET_LANES Words counted(Words masks) {
    Words sum = masks & kEach;
    sum += sum >> 32;
    sum += sum >> 16;
    sum += sum >> 8;
    return sum & 0xff;
  }
  static NOREGRET_LANES Doubles power_of_ten(Words exponent) {
    constexpr double kTens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    return Doubles{kTens[exponent[0]], kTens[exponent[1]]};
  }
  // A bit for each lane whose highest bit is set.
  static NOREGRET_LANES unsigned signs(Words lanes) { return static_cast<unsigned>(lanes[0] >> 63 | lanes[1] >> 63 << 1); }
#endif
};

}  // namespace
}  // namespace noregret
