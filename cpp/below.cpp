#include "below.hpp"

#include "wide.hpp"

namespace noregret {

NOREGRET_WIDE bool are_all_below(const std::uint32_t* numbers, std::size_t count, std::size_t limit) {
  const auto last = static_cast<std::uint32_t>(limit - 1);
  std::uint32_t above = 0;
  for (std::size_t k = 0; k < count; ++k) above |= numbers[k] | (last - numbers[k]);
  return count == 0 || (limit > 0 && above <= ~std::uint32_t{0} >> 1);
}

}  // namespace noregret
