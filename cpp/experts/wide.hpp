// Arithmetic on W doubles at a time, written so that every width gives the same bits: no fused
// multiply-add, and sums that run in eight columns whatever the width, added up in one order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#define NOREGRET_ALWAYS __attribute__((always_inline))
#define NOREGRET_INLINE inline NOREGRET_ALWAYS

namespace noregret::experts {

constexpr std::size_t kColumns = 8;  // rows of experts are padded to a multiple of this

template <int W>
struct Wide {
  static constexpr int kGroups = static_cast<int>(kColumns) / W;
  typedef double Vec __attribute__((vector_size(W * 8)));
  typedef std::int64_t Bits __attribute__((vector_size(W * 8)));

  static NOREGRET_INLINE Vec all(double value) { return Vec{} + value; }
  static NOREGRET_INLINE Vec load(const double* from) {
    Vec v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  static NOREGRET_INLINE void store(double* to, Vec v) { std::memcpy(to, &v, sizeof v); }

  // 2ˣ for x ≤ 0, to one or two units in the last place; what is below 2⁻¹⁰²¹ becomes 2⁻¹⁰²¹.
  // x = n + f with |f| ≤ ½, exactly, and 2ᶠ = 1 + f·p(f) with p interpolated at Chebyshev's points;
  // summed in halves of halves, which makes shorter chains than Horner's.
  static NOREGRET_INLINE Vec power(Vec x) {
    constexpr double kShift = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to a whole number
    const Vec low = all(-1021.0);
    x = low > x ? low : x;
    const Vec shifted = x + kShift;
    const Vec f = x - (shifted - kShift);
    const Vec f2 = f * f, f4 = f2 * f2;
    const Vec p01 = f * 0x1.62e42fefa39f7p-1 + 1.0;
    const Vec p23 = f * 0x1.c6b08d70440cbp-5 + 0x1.ebfbdff82c590p-3;
    const Vec p45 = f * 0x1.5d87fe909e3f8p-10 + 0x1.3b2ab6fba384dp-7;
    const Vec p67 = f * 0x1.ffcb7641ae8fcp-17 + 0x1.430913037f120p-13;
    const Vec p89 = f * 0x1.b6575c9f0a04ep-24 + 0x1.62bfe447b9790p-20;
    const Vec high = (p45 + p67 * f2) + (p89 + f2 * 0x1.e5ea2f3e44b1dp-28) * f4;
    const Vec value = (p01 + p23 * f2) + high * f4;
    return (Vec)((Bits)value + ((Bits)shifted << 52));  // times 2ⁿ
  }

  // One running sum for each of the eight columns.
  struct Sum {
    Vec parts[kGroups] = {};
    NOREGRET_INLINE double total() const {
      double columns[kColumns], sum = 0.0;
      std::memcpy(columns, parts, sizeof columns);
      for (double column : columns) sum += column;
      return sum;
    }
  };

  // The least and the greatest so far; a NaN counts as neither.
  struct Extent {
    Vec lows[kGroups], highs[kGroups];
    NOREGRET_INLINE Extent() {
      for (int k = 0; k < kGroups; ++k) {
        lows[k] = all(std::numeric_limits<double>::infinity());
        highs[k] = -lows[k];
      }
    }
    NOREGRET_INLINE void low(int k, Vec v) { lows[k] = v < lows[k] ? v : lows[k]; }
    NOREGRET_INLINE void high(int k, Vec v) { highs[k] = v > highs[k] ? v : highs[k]; }
    NOREGRET_INLINE double least() const {
      double columns[kColumns], found = std::numeric_limits<double>::infinity();
      std::memcpy(columns, lows, sizeof columns);
      for (double column : columns) found = column < found ? column : found;
      return found;
    }
    NOREGRET_INLINE double greatest() const {
      double columns[kColumns], found = -std::numeric_limits<double>::infinity();
      std::memcpy(columns, highs, sizeof columns);
      for (double column : columns) found = column > found ? column : found;
      return found;
    }
  };
};

}  // namespace noregret::experts
