#include "doubles.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "../wide.hpp"

namespace noregret {
namespace {

template <class From>
[[gnu::always_inline]] inline void widen(const char* __restrict from, std::size_t count, double* __restrict to) {
  for (std::size_t k = 0; k < count; ++k) {
    From number;
    std::memcpy(&number, from + k * sizeof(From), sizeof(From));
    to[k] = static_cast<double>(number);
  }
}

}  // namespace

// By their bits, which the compiler looks at several at a time: NaN is what stands above infinity, and reaches the highest bit from there.
NOREGRET_WIDE bool are_numbers(const double* cells, std::size_t count) {
  constexpr std::uint64_t kSize = ~std::uint64_t{0} >> 1, kFromInfinity = ~std::uint64_t{0} >> 12;
  std::uint64_t above = 0;
  for (std::size_t r = 0; r < count; ++r) above |= (std::bit_cast<std::uint64_t>(cells[r]) & kSize) + kFromInfinity;
  return above <= kSize;
}

NOREGRET_WIDE void fill_numbers(double number, std::size_t count, double* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] = number;
}

// NaN as above, by the bits of a float.
NOREGRET_WIDE bool widen_floats(const char* __restrict from, std::size_t count, double* __restrict to) {
  constexpr std::uint32_t kSize = ~std::uint32_t{0} >> 1, kFromInfinity = ~std::uint32_t{0} >> 9;
  std::uint32_t above = 0;
  for (std::size_t k = 0; k < count; ++k) {
    float number;
    std::memcpy(&number, from + k * sizeof number, sizeof number);
    above |= (std::bit_cast<std::uint32_t>(number) & kSize) + kFromInfinity;
    to[k] = static_cast<double>(number);
  }
  return above <= kSize;
}
NOREGRET_WIDE void widen_shorts(const char* from, std::size_t count, double* to) { widen<std::int32_t>(from, count, to); }
NOREGRET_WIDE void widen_longs(const char* from, std::size_t count, double* to) { widen<std::int64_t>(from, count, to); }

}  // namespace noregret
