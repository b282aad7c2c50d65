// The kernels for one width. Each file that includes this is compiled for one instruction set and
// makes one width, so that no two of them share a function.
#pragma once

#include "kernels.hpp"
#include "wide.hpp"

namespace noregret::experts {

constexpr double kLog2e = 0x1.71547652b82fep+0;


// Calls visit(block of 8 of the row, its offset) for every block; the last is filled up.
template <class Visit>
NOREGRET_INLINE void each_block(const double* row, std::size_t n, double filler, Visit&& visit) {
  std::size_t at = 0;
  for (; at + kColumns <= n; at += kColumns) visit(row + at, at);
  if (at == n) return;
  double last[kColumns];
  for (std::size_t k = 0; k < kColumns; ++k) last[k] = at + k < n ? row[at + k] : filler;
  visit(last, at);
}

template <int W>
Seen inspect_row(const double* row, std::size_t n) {
  using V = Wide<W>;
  typename V::Extent extent;
  typename V::Bits asleep{};
  each_block(row, n, std::numeric_limits<double>::quiet_NaN(), [&](const double* block, std::size_t) NOREGRET_ALWAYS {
    for (int k = 0; k < V::kGroups; ++k) {
      const typename V::Vec l = V::load(block + k * W);
      extent.low(k, l);
      extent.high(k, l);
      asleep -= (typename V::Bits)(l != l);
    }
  });
  std::int64_t count = 0;
  for (int k = 0; k < W; ++k) count += asleep[k];
  const std::size_t padding = (kColumns - n % kColumns) % kColumns;
  return {extent.least(), extent.greatest(), static_cast<std::size_t>(count) - padding};
}

template <int W, bool kSleepers>
NOREGRET_INLINE Mixed mixed(const double* row, const double* total, double* next, std::size_t n, double rate, double center) {
  using V = Wide<W>;
  using Vec = typename V::Vec;
  typename V::Sum weight, loss;
  typename V::Extent losses;
  const Vec none{}, low = V::lowest();
  const double scale = -rate * kLog2e;
  // Beyond the last expert every total is ∞, which weighs nothing; any loss of the row will do there.
  const double filler = kSleepers ? std::numeric_limits<double>::quiet_NaN() : row[0];
  each_block(row, n, filler, [&](const double* block, std::size_t at) NOREGRET_ALWAYS {
    for (int k = 0; k < V::kGroups; ++k) {
      Vec l = V::load(block + k * W);
      const Vec before = V::load(total + at + k * W);
      Vec w = V::power((before - center) * scale, low);
      losses.low(k, l);
      losses.high(k, l);
      const typename V::Bits awake = l == l;
      if constexpr (kSleepers) {
        w = awake ? w : none;
        l = awake ? l : none;
      }
      V::store(next + at + k * W, before + l);
      weight.parts[k] += w;
      loss.parts[k] += w * l;
    }
  });
  return {weight.total(), loss.total(), losses.least(), losses.greatest()};
}

template <int W>
Mixed mix_row(const double* row, const double* total, double* next, std::size_t n, double rate, double center, bool sleepers) {
  return sleepers ? mixed<W, true>(row, total, next, n, rate, center)
                  : mixed<W, false>(row, total, next, n, rate, center);
}

template <int W>
double exponentials_of(const double* exponent, const double* row, double* weight, std::size_t n, double rate,
                       double center) {
  using V = Wide<W>;
  using Vec = typename V::Vec;
  typename V::Sum sum;
  const Vec none{}, low = V::lowest();
  const double scale = rate * kLog2e;
  each_block(row != nullptr ? row : exponent, n, std::numeric_limits<double>::quiet_NaN(), [&](const double* block, std::size_t at) NOREGRET_ALWAYS {
    for (int k = 0; k < V::kGroups; ++k) {
      const Vec l = V::load(block + k * W);
      const Vec x = (V::load(exponent + at + k * W) - center) * scale;
      const typename V::Bits counts = (l == l) & (x > low);
      const Vec w = counts ? V::power(x, low) : none;
      V::store(weight + at + k * W, w);
      sum.parts[k] += w;
    }
  });
  return sum.total();
}

template <int W>
constexpr Kernels kernels_of() {
  return {inspect_row<W>, mix_row<W>, exponentials_of<W>};
}

}  // namespace noregret::experts
