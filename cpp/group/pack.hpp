// W doubles that go through vector instructions together, with what a rule's `measure` and `apply` may ask of a number.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "root.hpp"

#define NOREGRET_PACK inline __attribute__((always_inline))

namespace noregret::group {

// How roots are taken: of two packs side by side one leaves the processor's divider to the other.
enum class Roots { divider, multiplication };

template <int W, Roots kRoots = Roots::divider>
struct Pack {
  typedef double Vec __attribute__((vector_size(W * 8)));
  typedef std::int64_t Bits __attribute__((vector_size(W * 8)));
  Vec v;

  NOREGRET_PACK Pack() : v{} {}
  NOREGRET_PACK Pack(double value) : v(Vec{} + value) {}
  static NOREGRET_PACK Pack load(const double* from) {
    Pack p;
    std::memcpy(&p.v, from, sizeof p.v);
    return p;
  }
  NOREGRET_PACK void store(double* to) const { std::memcpy(to, &v, sizeof v); }

  NOREGRET_PACK Pack& operator+=(const Pack& b) { return v += b.v, *this; }
  NOREGRET_PACK Pack& operator-=(const Pack& b) { return v -= b.v, *this; }
  NOREGRET_PACK Pack& operator*=(const Pack& b) { return v *= b.v, *this; }
  NOREGRET_PACK Pack& operator/=(const Pack& b) { return v /= b.v, *this; }
  NOREGRET_PACK Pack negative() const {
    Pack p;
    p.v = -v;
    return p;
  }
  NOREGRET_PACK Pack rooted() const {
    double numbers[W];
    store(numbers);
#if defined(__AVX512F__)
    if constexpr (W == 8 && kRoots == Roots::multiplication) {
      return _mm512_storeu_pd(numbers, root_by_multiplication(_mm512_loadu_pd(numbers))), load(numbers);
    }
    if constexpr (W == 8) return _mm512_storeu_pd(numbers, _mm512_sqrt_pd(_mm512_loadu_pd(numbers))), load(numbers);
#endif
#if defined(__AVX__)
    if constexpr (W == 4) return _mm256_storeu_pd(numbers, _mm256_sqrt_pd(_mm256_loadu_pd(numbers))), load(numbers);
#endif
    for (double& number : numbers) number = __builtin_sqrt(number);
    return load(numbers);
  }
  // Of each place the one or the other.
  static NOREGRET_PACK Pack chosen(Bits first, const Pack& a, const Pack& b) {
    Pack p;
    p.v = first ? a.v : b.v;
    return p;
  }
  static NOREGRET_PACK Pack greater(const Pack& a, const Pack& b) { return chosen(a.v > b.v, a, b); }
  static NOREGRET_PACK Pack less(const Pack& a, const Pack& b) { return chosen(a.v < b.v, a, b); }

  friend NOREGRET_PACK Pack operator+(Pack a, const Pack& b) { return a += b; }
  friend NOREGRET_PACK Pack operator-(Pack a, const Pack& b) { return a -= b; }
  friend NOREGRET_PACK Pack operator*(Pack a, const Pack& b) { return a *= b; }
  friend NOREGRET_PACK Pack operator/(Pack a, const Pack& b) { return a /= b; }
  friend NOREGRET_PACK Pack operator-(const Pack& a) { return a.negative(); }
  friend NOREGRET_PACK Pack larger(const Pack& a, const Pack& b) { return Pack::greater(a, b); }
  friend NOREGRET_PACK Pack smaller(const Pack& a, const Pack& b) { return Pack::less(a, b); }
  friend NOREGRET_PACK Pack if_positive(const Pack& a, const Pack& b) { return Pack::chosen(a.v > 0.0, b, Pack()); }
  friend NOREGRET_PACK Pack root(const Pack& a) { return a.rooted(); }
};

}  // namespace noregret::group
