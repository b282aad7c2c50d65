// Whether numbers stay below a limit, which is asked of every row and page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace noregret {

// For many numbers: by the widest vectors that the processor has.
bool are_all_below(const std::uint32_t* numbers, std::size_t count, std::size_t limit);

// Negative ones are not. Without a way out of the middle, and by the highest bit, so that several numbers are looked at at once; no
// limit beyond that bit.
template <class I>
bool all_below(const I* numbers, std::size_t count, std::size_t limit) {
  using U = std::make_unsigned_t<I>;
  constexpr std::size_t kMany = 128;
  if constexpr (sizeof(U) == sizeof(std::uint32_t)) {
    if (count >= kMany) return are_all_below(reinterpret_cast<const std::uint32_t*>(numbers), count, limit);
  }
  const auto last = static_cast<U>(limit - 1);
  U above = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto number = static_cast<U>(numbers[k]);
    above |= number | (last - number);
  }
  return count == 0 || (limit > 0 && above <= static_cast<U>(~U{0}) >> 1);
}

}  // namespace noregret
