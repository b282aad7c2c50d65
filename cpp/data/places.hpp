// Places in a list, one for each of many rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../below.hpp"

namespace noregret {

// Puts what stands at each place of a list of doubles where it goes. Eight at a time, each by itself: a processor loads so many in less time
// than it gathers them.
template <class Place>
void look_up(const Place* places, std::size_t count, auto at, double* to) {
  constexpr std::size_t kEight = 8;
  std::size_t k = 0;
  for (; k + kEight <= count; k += kEight) {
    std::array<double, kEight> eight;
    for (std::size_t j = 0; j < kEight; ++j) eight[j] = at(places[k + j]);
    std::copy_n(eight.data(), kEight, to + k);
  }
  for (; k < count; ++k) to[k] = at(places[k]);
}

// The same for a list of floats. One after the other: put together, they would have to be taken apart again to become doubles.
template <class Place>
void look_up_floats(const Place* places, std::size_t count, auto at, double* to) {
#pragma GCC unroll 8
  for (std::size_t k = 0; k < count; ++k) to[k] = at(places[k]);
}

// Whether places, of which none needs eight bytes, all stand before the end of a list; below 0 none does.
template <class Place>
bool are_places(const Place* places, std::size_t count, std::size_t listed) {
  if constexpr (sizeof(Place) == sizeof(std::uint32_t)) {
    return all_below(places, count, listed);
  } else {
    bool good = true;
    for (std::size_t r = 0; r < count; ++r) good &= static_cast<std::size_t>(places[r]) < listed;
    return good;
  }
}

// Whether codes do, where −1 stands for none.
bool are_codes(const std::int64_t* codes, std::size_t count, std::size_t listed);
// Which codes there are: −1, and each place of a list of so many.
std::vector<bool> used_codes(const std::int64_t* codes, std::size_t count, std::size_t listed);

// Which of two numbers each cell is, 0 or 1; false when one is another. Part of who calls it, and compiled for what that is.
template <class T>
[[gnu::always_inline]] inline bool are_among_two(const T* cells, std::size_t count, T first, T second, std::int64_t* places) {
  std::int64_t others = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const std::int64_t is_second = cells[r] != first ? 1 : 0;
    others |= is_second & (cells[r] != second ? 1 : 0);
    places[r] = is_second;
  }
  return others == 0;
}
bool find_among_two(const double* cells, std::size_t count, double first, double second, std::int64_t* places);
bool find_among_two(const std::int64_t* cells, std::size_t count, std::int64_t first, std::int64_t second, std::int64_t* places);
template <class T>
bool find_among_two(const T* cells, std::size_t count, T first, T second, std::int64_t* places) {
  return are_among_two(cells, count, first, second, places);
}

}  // namespace noregret
