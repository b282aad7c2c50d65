// Pairs of text_kernels_wide.hpp for eight tokens at a time, where bytes can be compared under masks: of lanes, a bit for each token, or of
// bytes, eight bits for each. Where bytes can be moved across a register, too, the eight before a place are put together in fewer steps.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "../words.hpp"
#include "text_lanes.hpp"

namespace noregret {
namespace {

struct EightPairs {
  using Eight = __m512i;  // of eight bytes each
  using LaneMask = __mmask8;
  using ByteMask = std::uint64_t;

  static NOREGRET_LANES Eight each(std::int64_t number) { return _mm512_set1_epi64(number); }
  static NOREGRET_LANES Eight each_byte(char c) { return _mm512_set1_epi8(c); }
  static NOREGRET_LANES Eight places(const std::uint32_t* from) {
    return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  static NOREGRET_LANES LaneMask lanes_of(ByteMask bytes) {
    const Eight spread = _mm512_movm_epi8(bytes);
    return _mm512_test_epi64_mask(spread, spread);
  }

  // ---- the eight bytes before a place ----------------------------------------------------------

  struct Scattered {
    const char* text;
    NOREGRET_LANES Eight before(Eight place) const {
      alignas(64) std::uint64_t at[8];
      _mm512_store_si512(at, place);
      for (std::uint64_t& one : at) one = loaded<std::uint64_t>(text + one - 8);
      return _mm512_load_si512(at);
    }
  };

  // Of places that lie close together, out of 128 bytes that are fetched at once. Of a place that is not among them anything may come.
  class Gathered {
   public:
    // `first` is the lowest place that counts; nothing is read at `end` or behind it.
    NOREGRET_LANES Gathered(const char* text, std::int64_t first, std::int64_t end) : first_(each(first)) {
      const std::int64_t count = end - first + 8;
      low_ = _mm512_maskz_loadu_epi8(count < 64 ? (ByteMask{1} << count) - 1 : ~ByteMask{0}, text + first - 8);
      high_ = count <= 64 ? _mm512_setzero_si512() : _mm512_maskz_loadu_epi8(~ByteMask{0} >> (128 - count), text + first + 56);
    }
    static bool suits(std::int64_t first, std::int64_t end) { return end > first && end - first <= 120; }

#if defined(__AVX512VBMI__)
    NOREGRET_LANES Eight before(Eight place) const {
      const Eight lowest_byte = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0808080808080808, 0));
      const Eight begin = _mm512_shuffle_epi8(_mm512_sub_epi64(place, first_), lowest_byte);
      return _mm512_permutex2var_epi8(low_, _mm512_add_epi8(begin, each(0x0706050403020100)), high_);
    }
#else
    // The two words that have some of the eight bytes, put together.
    NOREGRET_LANES Eight before(Eight place) const {
      const Eight begin = _mm512_sub_epi64(place, first_), word = _mm512_srli_epi64(begin, 3);
      const Eight shift = _mm512_slli_epi64(_mm512_and_si512(begin, each(7)), 3);
      const Eight from = _mm512_permutex2var_epi64(low_, word, high_);
      const Eight next = _mm512_permutex2var_epi64(low_, _mm512_add_epi64(word, each(1)), high_);
      return _mm512_or_si512(_mm512_srlv_epi64(from, shift), _mm512_sllv_epi64(next, _mm512_sub_epi64(each(64), shift)));
    }
#endif

   private:
    Eight first_, low_, high_;
  };

  // ---- what is written there -------------------------------------------------------------------

  // Where the last `length` bytes of each lane are.
  struct Kept {
    Eight bytes;  // all ones there
    ByteMask mask, first;

    explicit NOREGRET_LANES Kept(Eight length)
        : bytes(_mm512_sllv_epi64(each(-1), _mm512_sub_epi64(each(64), _mm512_slli_epi64(length, 3)))),
          mask(_mm512_movepi8_mask(bytes)),
          first(mask & ~(mask << 1 & ~(Lanes::kEach))) {}
  };
  static NOREGRET_LANES LaneMask unfit(Eight length) { return _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(length, each(1)), each(7)); }
  static NOREGRET_LANES ByteMask no_digits(Eight digits) { return _mm512_cmpgt_epu8_mask(digits, each_byte(9)); }

  static NOREGRET_LANES Eight number(Eight digits) {
    const Eight pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));
    const Eight fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
    return _mm512_add_epi64(_mm512_mul_epu32(fours, each(10000)), _mm512_srli_epi64(fours, 32));
  }

  // The names as numbers; all ones where they are none, or have a 0 in front: those are `odd`.
  static NOREGRET_LANES Eight names(const auto& text, Eight colon, Eight length, LaneMask& odd) {
    const Kept kept(length);
    const Eight digits = _mm512_and_si512(_mm512_xor_si512(text.before(colon), each_byte('0')), kept.bytes);
    const ByteMask zero_in_front = _mm512_testn_epi8_mask(digits, digits) & kept.first & ~(Lanes::kEach << 7);  // alone it may stand
    odd = unfit(length) | lanes_of(no_digits(digits) | zero_in_front);
    return _mm512_mask_mov_epi64(number(digits), odd, each(-1));
  }

  // As in Pairs: values such as 0.1234567 or -0.12345678, without what stands in front of their digits.
  struct Fractions {
    LaneMask are = 0, negative = 0;
  };
  static NOREGRET_LANES Fractions shorten(const auto& text, Eight colon, Eight end, Eight& length) {
    const Eight seen = _mm512_min_epu64(_mm512_add_epi64(colon, each(4)), end);  // three characters tell, if there are so many
    const Eight missing = _mm512_sub_epi64(_mm512_add_epi64(colon, each(9)), seen);
    const Eight start = _mm512_srlv_epi64(text.before(seen), _mm512_slli_epi64(missing, 3));
    const LaneMask minus = _mm512_cmpeq_epi64_mask(_mm512_and_si512(start, each(0xff)), each('-'));
    const Eight digits = _mm512_mask_srli_epi64(start, minus, start, 8);
    const LaneMask are = _mm512_cmpeq_epi64_mask(_mm512_and_si512(digits, each(0xffff)), each('0' | '.' << 8));
    length = _mm512_mask_sub_epi64(length, are, length, each(2));
    length = _mm512_mask_sub_epi64(length, are & minus, length, each(1));
    return {are, static_cast<LaneMask>(are & minus)};
  }

  // What is written in another way, by lanes and by bytes.
  struct Unread {
    LaneMask lanes;
    ByteMask bytes;
  };

  template <bool kLong>
  static NOREGRET_LANES __m512d values(const auto& text, Eight colon, Eight end, Unread& unread) {
    Eight length = _mm512_sub_epi64(_mm512_sub_epi64(end, colon), each(1));
    Fractions fractions;
    if constexpr (kLong) fractions = shorten(text, colon, end, length);
    const Kept kept(length);
    const Eight word = _mm512_and_si512(text.before(end), kept.bytes);
    const ByteMask points = _mm512_cmpeq_epi8_mask(word, each_byte('.')), dashes = _mm512_cmpeq_epi8_mask(word, each_byte('-'));
    const ByteMask minus = dashes & kept.first;
    const Eight digits = _mm512_maskz_sub_epi8(kept.mask & ~minus, word, each_byte('0'));
    // The digits in front of the first point, and those behind it, are joined; whatever else is no digit is left, and shows.
    const Eight marked = _mm512_movm_epi8(points), zero = _mm512_setzero_si512();
    const Eight point = _mm512_and_si512(marked, _mm512_sub_epi64(zero, marked));  // its lowest bit
    const Eight behind = _mm512_slli_epi64(_mm512_sub_epi64(zero, point), 8);
    const Eight in_front = _mm512_and_si512(digits, _mm512_sub_epi64(point, each(1)));
    const Eight moved = _mm512_mask_slli_epi64(in_front, _mm512_test_epi64_mask(point, point), in_front, 8);
    const Eight joined = _mm512_or_si512(moved, _mm512_and_si512(digits, behind));
    const Eight told = _mm512_movm_epi8(kept.mask & ~minus & ~points);
    unread.lanes |= unfit(length) | _mm512_testn_epi64_mask(told, told);
    unread.bytes |= no_digits(joined);
    const __m512d tens = _mm512_setr_pd(1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7);
    __m512d scale = _mm512_permutexvar_pd(_mm512_srli_epi64(_mm512_lzcnt_epi64(point), 3), tens);  // without a point 8, taken for 0
    if constexpr (kLong) {
      unread.lanes |= fractions.are & lanes_of(points | dashes);
      const __m512d all_behind = _mm512_setr_pd(1e8, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7);
      scale = _mm512_mask_permutexvar_pd(scale, fractions.are, length, all_behind);
    }
    const __m512d value = _mm512_div_pd(_mm512_cvtepu64_pd(number(joined)), scale);
    const LaneMask negative = lanes_of(minus) | fractions.negative;
    return _mm512_mask_or_pd(value, negative, value, _mm512_set1_pd(-0.0));
  }

  // How many tokens before the first that is written in another way; eight if none is.
  template <bool kLong>
  static NOREGRET_LANES std::size_t read_eight(const auto& text, const std::uint32_t* colons, const std::uint32_t* ends, bool only_numbers,
                                               std::int32_t* numbers, double* out) {
    const Eight begin = places(ends - 1), colon = places(colons), end = places(ends);
    const Eight length = _mm512_sub_epi64(_mm512_sub_epi64(colon, begin), each(1));
    Unread unread{_mm512_cmplt_epi64_mask(length, each(1)), 0};  // the colon is not behind a name
    _mm512_storeu_pd(out, values<kLong>(text, colon, end, unread));
    LaneMask odd;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(numbers), _mm512_cvtepi64_epi32(names(text, colon, length, odd)));
    if (only_numbers) unread.lanes |= odd;
    if ((unread.lanes | unread.bytes) == 0) return 8;
    const int by_bytes = std::countr_zero(unread.bytes) / 8, by_lanes = std::countr_zero(unread.lanes | 0x100u);
    return static_cast<std::size_t>(std::min(by_bytes, by_lanes));
  }

  template <bool kLong>
  static std::size_t read(const char* text, const std::uint32_t* colons, const std::uint32_t* ends, std::size_t count, bool only_numbers,
                          std::int32_t* numbers, double* out) {
    for (std::size_t done = 0; done < count; done += 8) {
      const std::int64_t first = colons[done], end = ends[std::min(done + 8, count) - 1];
      const auto read_from = [&](const auto& bytes) {
        return read_eight<kLong>(bytes, colons + done, ends + done, only_numbers, numbers + done, out + done);
      };
      const std::size_t good = Gathered::suits(first, end) ? read_from(Gathered(text, first, end)) : read_from(Scattered{text});
      if (good < 8) return std::min(count, done + good);
    }
    return count;
  }
};

}  // namespace
}  // namespace noregret
