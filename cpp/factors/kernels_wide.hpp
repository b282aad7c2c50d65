// The kernels for one width. Each file that includes this is compiled for one instruction set and makes one width; all that is
// called is flattened into the kernels, so that no function of one set can end up in another.
#pragma once

#include <cstring>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "kernels.hpp"

#define NOREGRET_FACTOR inline __attribute__((always_inline))

namespace noregret::factors {

template <int W>
struct Wide {
  static constexpr int kGroups = static_cast<int>(kRows) / W;
  typedef double Vec __attribute__((vector_size(W * 8)));
  typedef std::int64_t Bits __attribute__((vector_size(W * 8)));

  static NOREGRET_FACTOR Vec load(const double* from) {
    Vec v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  static NOREGRET_FACTOR void store(double* to, Vec v) { std::memcpy(to, &v, sizeof v); }
};

// The sums of C columns from `at` on over the listed tiles, eight for a column.
template <int W, int C>
NOREGRET_FACTOR void sum_columns(const double* at, const Measured& row, std::size_t listed, double* sums) {
  using V = Wide<W>;
  typename V::Vec sum[C][V::kGroups] = {};
  for (std::size_t k = 0; k < listed; ++k) {
    const double* tile = at + row.tiles[k] * kTile;
    for (int g = 0; g < V::kGroups; ++g) {
      const typename V::Vec x = V::load(row.x + row.tiles[k] * kRows + g * W);
      for (int c = 0; c < C; ++c) sum[c][g] += V::load(tile + c * kRows + g * W) * x;
    }
  }
  for (int c = 0; c < C; ++c) {
    for (int g = 0; g < V::kGroups; ++g) V::store(sums + c * kRows + g * W, sum[c][g]);
  }
}

// Adds the eight sums of each of four columns up.
NOREGRET_FACTOR void add_up(const double* sums, double* totals) {
#if defined(__AVX__)
  __m256d half[kColumns];
  for (std::size_t c = 0; c < kColumns; ++c) half[c] = _mm256_add_pd(_mm256_loadu_pd(sums + c * kRows), _mm256_loadu_pd(sums + c * kRows + 4));
  const __m256d first = _mm256_hadd_pd(half[0], half[1]), second = _mm256_hadd_pd(half[2], half[3]);
  _mm256_storeu_pd(totals, _mm256_add_pd(_mm256_permute2f128_pd(first, second, 0x20), _mm256_permute2f128_pd(first, second, 0x31)));
#else
  for (std::size_t c = 0; c < kColumns; ++c) {
    const double* s = sums + c * kRows;
    totals[c] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
  }
#endif
}

template <int W>
[[gnu::flatten]] void measure(const Block* blocks, std::size_t count, const Measured& row) {
  constexpr int kTogether = W == 2 ? 2 : 4;  // columns whose sums fit the registers
  double reach = 0.0;
  std::size_t listed = 0;
  row.reach[0] = 0.0;
  for (std::size_t block = 0; block < count; ++block) {
    while (listed < row.listed && row.tiles[listed] < tiles_of(block)) ++listed;
    double *f = row.f + block * kColumns, *b = row.b + block * kColumns, *upto = row.reach + block * kColumns + 1;
    double sums[kTile];
    for (int c = 0; c < static_cast<int>(kColumns); c += kTogether) {
      sum_columns<W, kTogether>(blocks[block].data() + c * kRows, row, listed, sums + c * kRows);
    }
    double totals[kColumns];
    add_up(sums, totals);
    for (std::size_t c = 0; c < kColumns; ++c) {
      f[c] = totals[c];
      b[c] = row.variances[block * kColumns + c] * totals[c];
      upto[c] = reach += b[c] * totals[c];
    }
  }
}

template <int W>
[[gnu::flatten]] bool prepare(std::size_t padded, double growth, const Measured& row, double* slopes, double* after) {
  using V = Wide<W>;
  typename V::Bits small{};
  for (std::size_t j = 0; j < padded; j += W) {
    const typename V::Vec before = 1.0 + growth * V::load(row.reach + j), now = 1.0 + growth * V::load(row.reach + j + 1);
    const typename V::Vec variance = V::load(row.variances + j) * (before / now);
    V::store(slopes + j, -(growth * V::load(row.f + j)) / before);
    V::store(after + j, variance);
    small |= ~(typename V::Bits)(variance > 1e-150);  // which NaN is not
  }
  bool any = false;
  for (int k = 0; k < W; ++k) any |= small[k] != 0;
  return !any;
}

template <int W>
[[gnu::flatten]] void shrink(Block* blocks, std::size_t count, const double* f, const double* b, const double* slopes, double* gain) {
  using V = Wide<W>;
  for (std::size_t block = 0; block < count; ++block) {
    const std::size_t column = block * kColumns;
    if (f[column] == 0.0 && f[column + 1] == 0.0 && f[column + 2] == 0.0 && f[column + 3] == 0.0) continue;
    typename V::Vec slope[kColumns], by[kColumns];
    for (std::size_t c = 0; c < kColumns; ++c) {
      slope[c] = typename V::Vec{} + slopes[column + c];
      by[c] = typename V::Vec{} + b[column + c];
    }
    double* tile = blocks[block].data();
    for (std::size_t t = 0; t < tiles_of(block); ++t, tile += kTile) {
      for (int g = 0; g < V::kGroups; ++g) {
        typename V::Vec sum = V::load(gain + t * kRows + g * W);
        for (std::size_t c = 0; c < kColumns; ++c) {
          double* at = tile + c * kRows + g * W;
          const typename V::Vec u = V::load(at);
          V::store(at, u + slope[c] * sum);
          sum += u * by[c];
        }
        V::store(gain + t * kRows + g * W, sum);
      }
    }
  }
}

template <int W>
constexpr Kernels kernels_of() {
  return {measure<W>, prepare<W>, shrink<W>};
}

}  // namespace noregret::factors
