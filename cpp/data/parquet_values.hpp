// What the values of a page are read with, whatever they become.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "parquet_levels.hpp"
#include "parquet_runs.hpp"
#include "places.hpp"

namespace noregret {

enum Encoding : std::int64_t { kPlain = 0, kOldPlaces = 2, kRuns = 3, kPlaces = 8 };

inline Runs places_of(std::string_view values) {
  const auto width = static_cast<std::uint8_t>(cut(values, 1)[0]);
  return Runs(values, width);
}

// Where numbers lie that are spelt out.
template <class T>
const char* plain_numbers(std::string_view values, std::size_t skip, std::size_t take) {
  const std::size_t count = values.size() / sizeof(T);
  if (skip > count || take > count - skip) refuse_page("a page ends before its cells do");
  return values.data() + skip * sizeof(T);
}

// Goes through the next places in a list of so many: same(place, count) or several(places, count).
void each_listed(std::string_view values, std::size_t skip, std::size_t take, std::size_t listed, auto same, auto several) {
  Runs runs = places_of(values);
  runs.skip(skip);
  const auto require = [&](const std::uint32_t* places, std::size_t some) {
    if (!are_places(places, some, listed)) refuse_page("a page points behind its list of values");
  };
  runs.take(take,
            [&](std::uint32_t place, std::size_t some) {
              require(&place, 1);
              same(place, some);
            },
            [&](const std::uint32_t* places, std::size_t some) {
              require(places, some);
              several(places, some);
            });
}

inline constexpr std::size_t kEight = 8;

// Whether eight cells are all there.
inline bool are_there(const char* there) {
  std::uint64_t eight;
  std::memcpy(&eight, there, kEight);
  return eight == 0x0101010101010101;
}

// Moves values to their cells, from the last one on; mostly eight in a row are there.
template <class T>
void spread(const Levels& levels, T* to, T gone) {
  const std::vector<char>& there = levels.there;
  std::size_t value = levels.take;
  for (std::size_t k = there.size(); k > 0;) {
    if (k >= kEight && are_there(there.data() + k - kEight)) {
      k -= kEight;
      value -= kEight;
      std::memmove(to + k, to + value, kEight * sizeof(T));
    } else {
      for (const std::size_t end = k - std::min(k, kEight); k > end; --k) to[k - 1] = there[k - 1] != 0 ? to[--value] : gone;
    }
  }
}

}  // namespace noregret
