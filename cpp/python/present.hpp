// The cells of a column, some of which may be missing, as Python is given them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "../data/cells.hpp"
#include "../data/column.hpp"
#include "../data/places.hpp"
#include "../refusal.hpp"
#include "arrays.hpp"

namespace noregret {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// A bit for each cell, from one on, that says whether it is there; no bits when all are.
struct Present {
  const std::uint8_t* bits = nullptr;
  std::size_t first = 0;

  bool all() const { return bits == nullptr; }
  bool has(std::size_t r) const { return all() || ((bits[(first + r) / 8] >> ((first + r) % 8)) & 1) != 0; }
};

struct PresentCells {
  Cells cells;
  Present present{};

  bool are_numbers() const { return !std::holds_alternative<double>(cells); }
};

// Writes down the feature of each place in a list of words, of which `table` has those, and NaN where a cell is missing. Says whether
// none is.
template <class Place>
bool put_features(const Place* places, const Present& present, std::span<const double> table, std::span<double> to) {
  bool good = true, whole = true;
  if (present.all()) {  // nobody has to foresee anything
    good = are_places(places, to.size(), table.size());
    if (good) look_up(places, to.size(), [&](Place place) { return table[static_cast<std::size_t>(place)]; }, to.data());
  }
  for (std::size_t r = 0; !present.all() && r < to.size(); ++r) {
    const auto place = static_cast<std::size_t>(places[r]);  // one below 0 is larger than any
    const bool there = present.has(r);
    good &= !there || place < table.size();
    whole &= there;
    to[r] = !there ? kMissing : place < table.size() ? table[place] : 0.0;
  }
  if (!good) throw Refusal("BadFile", "a cell points behind its list of words");
  return whole;
}

// Where each cell is in the list of different ones; false when these are many, or one is NaN.
template <class T>
bool find_places(const T* cells, std::size_t rows, std::int64_t* places, std::vector<T>& met) {
  constexpr std::size_t kMany = 16, kSome = 64;
  for (std::size_t r = 0; r < rows;) {
    const std::size_t some = std::min(kSome, rows - r);
    if (met.size() >= 2 && find_among_two(cells + r, some, met[0], met[1], places + r)) {
      r += some;
      continue;
    }
    for (const std::size_t end = r + some; r < end; ++r) {
      const auto found = std::find(met.begin(), met.end(), cells[r]);
      places[r] = found - met.begin();
      if (found != met.end()) continue;
      if (met.size() == kMany || cells[r] != cells[r]) return false;
      met.push_back(cells[r]);
    }
  }
  return true;
}

// The same for Python, with the list; None also when a cell is missing, or cells are no numbers.
inline nanobind::object places_given(const PresentCells& column, std::size_t rows) {
  if (!column.present.all()) return nanobind::none();
  return std::visit([&]<class Found>(Found cells) -> nanobind::object {
    if constexpr (std::is_pointer_v<Found>) {
      Column<std::int64_t> places(rows);
      std::vector<std::remove_const_t<std::remove_pointer_t<Found>>> met;
      if (!find_places(cells, rows, places.data(), met)) return nanobind::none();
      places.cut(rows);
      nanobind::list values;
      for (const auto value : met) values.append(value);
      return nanobind::make_tuple(given(std::move(places)), values);
    } else {
      return nanobind::none();
    }
  }, column.cells);
}

}  // namespace noregret
