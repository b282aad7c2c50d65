// Square roots by multiplication, to the bit what the processor's own instruction gives, for loops that keep its one divider busy.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>

namespace noregret::group {

// Newton's steps from the processor's estimate, the last two with the exact rest a − g². In that last step a factor h of
// the rest is known to lie in [h, h(1 + 2⁻²⁵)]: where both ends round to one double, that double is the root. Where they
// do not, and below 2⁻⁹⁶⁰, where a rest would lose digits, the divider is asked after all.
inline __attribute__((always_inline)) __m512d root_by_multiplication(__m512d a) {
  const __m512d half = _mm512_set1_pd(0.5), below_half = _mm512_set1_pd(0.5 - 0x1p-50);
  __m512d h = _mm512_rsqrt14_pd(a), g = _mm512_mul_pd(a, h);
  h = _mm512_mul_pd(half, h);
  const __m512d rest = _mm512_fnmadd_pd(g, h, below_half);  // below: h stays at or under 1/(2√a) however it is rounded
  g = _mm512_fmadd_pd(g, rest, g);
  h = _mm512_fmadd_pd(h, rest, h);
  g = _mm512_fmadd_pd(_mm512_fnmadd_pd(g, g, a), h, g);
  const __m512d last = _mm512_fnmadd_pd(g, g, a);
  const __m512d low = _mm512_fmadd_pd(last, h, g);
  const __m512d high = _mm512_fmadd_pd(last, _mm512_mul_pd(h, _mm512_set1_pd(1.0 + 0x1p-25)), g);
  const __mmask8 usual = _mm512_cmp_pd_mask(a, _mm512_set1_pd(0x1p-960), _CMP_GE_OQ);
  const __mmask8 known = _mm512_mask_cmp_pd_mask(usual, low, high, _CMP_EQ_OQ);
  const __mmask8 zero = _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_EQ_OQ);
  if (static_cast<__mmask8>(known | zero) != 0xff) [[unlikely]] return _mm512_sqrt_pd(a);
  return _mm512_maskz_mov_pd(known, low);
}

}  // namespace noregret::group
#endif
