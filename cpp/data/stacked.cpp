#include "stacked.hpp"

#include <bit>

#include "../wide.hpp"

namespace noregret {

// By their bits, which the compiler looks at several at a time: NaN is what stands above infinity, and reaches the highest bit from there.
NOREGRET_WIDE bool are_numbers(const double* cells, std::size_t count) {
  constexpr std::uint64_t kSize = ~std::uint64_t{0} >> 1, kFromInfinity = ~std::uint64_t{0} >> 12;
  std::uint64_t above = 0;
  for (std::size_t r = 0; r < count; ++r) above |= (std::bit_cast<std::uint64_t>(cells[r]) & kSize) + kFromInfinity;
  return above <= kSize;
}

}  // namespace noregret
