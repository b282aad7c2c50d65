#include "parquet_doubles.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cells.hpp"
#include "column.hpp"
#include "doubles.hpp"
#include "parquet_values.hpp"

namespace noregret {
namespace {

constexpr double kGone = std::numeric_limits<double>::quiet_NaN();

template <class From>
double number_at(const char* numbers, std::size_t k) {
  From number;
  std::memcpy(&number, numbers + k * sizeof(From), sizeof(From));  // it may lie anywhere
  return static_cast<double>(number);
}

// Says whether none is NaN.
template <class From>
bool convert(const char* from, std::size_t count, double* to) {
  if constexpr (std::is_same_v<From, float>) return widen_floats(from, count, to);
  if constexpr (std::is_same_v<From, double>) {
    std::memcpy(to, from, count * sizeof(double));
    return are_numbers(to, count);
  } else {
    (sizeof(From) == sizeof(std::int32_t) ? widen_shorts : widen_longs)(from, count, to);
    return true;
  }
}

// The same for cells some of which are missing; mostly eight in a row are not.
template <class From>
void convert_present(const char* from, const std::vector<char>& there, double* to) {
  std::size_t k = 0;
  for (; k + kEight <= there.size(); k += kEight) {
    if (are_there(there.data() + k)) {
      for (std::size_t j = 0; j < kEight; ++j) to[k + j] = number_at<From>(from, j);
      from += kEight * sizeof(From);
    } else {
      for (std::size_t j = k; j < k + kEight; ++j) {
        to[j] = there[j] != 0 ? number_at<From>(from, 0) : kGone;
        from += there[j] != 0 ? sizeof(From) : 0;
      }
    }
  }
  for (; k < there.size(); ++k) {
    to[k] = there[k] != 0 ? number_at<From>(from, 0) : kGone;
    from += there[k] != 0 ? sizeof(From) : 0;
  }
}

// Says whether none is NaN.
template <class From>
bool put_plain(std::string_view values, const Levels& levels, double* to) {
  const char* first = plain_numbers<From>(values, levels.skip, levels.take);
  if (levels.there.empty()) return convert<From>(first, levels.take, to);
  convert_present<From>(first, levels.there, to);
  return false;
}

// Values of a list, one after the other, as when they were all different; false when they are not that.
template <class From>
bool put_ascending(NumberList& list, std::string_view values, const Levels& levels, double* to) {
  Runs places = places_of(values);
  places.skip(levels.skip);
  const auto first = places.take_ascending(levels.take);
  if (!first) return false;
  if constexpr (std::is_same_v<From, double>) {
    return list.put_some(*first, levels.take, sizeof(double), reinterpret_cast<char*>(to));
  } else {
    Column<char> numbers(levels.take * sizeof(From));
    if (!list.put_some(*first, levels.take, sizeof(From), numbers.data())) return false;
    convert<From>(numbers.data(), levels.take, to);
    return true;
  }
}

// Whether places go on one by one at first, as where nearly all values were different: what comes next is near then.
bool begin_ascending(std::string_view values, const Levels& levels) {
  constexpr std::size_t kFew = 8;
  Runs places = places_of(values);
  places.skip(levels.skip);
  return places.take_ascending(std::min(levels.take, kFew)).has_value();
}

template <class From>
void look_up_all(const std::uint32_t* places, std::size_t count, auto at, double* to) {
  if constexpr (std::is_same_v<From, float>) {
    look_up_floats(places, count, at, to);
  } else {
    look_up(places, count, at, to);
  }
}

// Has a list brought nearer, in its order, before it is read all over the place; it was last read a row of columns ago. A short one is
// near, and of one with few places that point to it most is not wanted.
void ask_for(std::string_view list, std::size_t places) {
  constexpr std::size_t kLine = 64, kShort = std::size_t{1} << 16;
  if (list.size() < kShort || places < list.size() / kLine) return;
  for (std::size_t k = 0; k < list.size(); k += kLine) __builtin_prefetch(list.data() + k, 0, 2);
}

template <class From>
void put_listed(std::string_view values, const Levels& levels, std::size_t listed, auto at, double* to) {
  each_listed(values, levels.skip, levels.take, listed,
              [&](std::uint32_t place, std::size_t some) {
                fill_numbers(at(place), some, to);
                to += some;
              },
              [&](const std::uint32_t* places, std::size_t some) {
                look_up_all<From>(places, some, at, to);
                to += some;
              });
}

// Places in a list; says whether it is known that none of the numbers is NaN.
template <class From>
bool put_from_list(NumberList& list, std::string_view values, const Levels& levels, double* to) {
  if (put_ascending<From>(list, values, levels, to)) return std::is_integral_v<From>;
  const std::string_view numbers = list.all(sizeof(From));
  const std::size_t listed = numbers.size() / sizeof(From);
  if constexpr (std::is_integral_v<From>) {
    put_listed<From>(values, levels, listed, [first = list.wholes(sizeof(From))](std::uint32_t k) { return first[k]; }, to);
    return true;
  } else {
    if (!begin_ascending(values, levels)) ask_for(numbers, levels.take);
    put_listed<From>(values, levels, listed, [first = numbers.data()](std::uint32_t k) { return number_at<From>(first, k); }, to);
    return !list.has_gaps(sizeof(From));
  }
}

// Says whether none is NaN.
template <class From>
bool put_cells(bool optional, NumberList* list, PagePart part, double* to) {
  const Levels levels = cut_levels(part, optional);
  const bool whole = levels.there.empty();
  if (levels.take == 0) {  // such a page may have nothing at all behind its levels
    std::fill_n(to, levels.there.size(), kGone);
  } else if (part.encoding == kPlain) {
    return put_plain<From>(part.values, levels, to);
  } else if (part.encoding == kPlaces || part.encoding == kOldPlaces) {
    if (list == nullptr) refuse_page("a page points to a list of values that is not there");
    const bool told = put_from_list<From>(*list, part.values, levels, to);
    if (!whole) spread(levels, to, kGone);
    return whole && (told || are_numbers(to, levels.take));
  } else {
    refuse_page("a page is encoded in a way that its file does not tell of");
  }
  return whole;
}

}  // namespace

std::optional<bool> put_doubles(char letter, bool optional, NumberList* list, PagePart part, double* to) {
  switch (letter) {
    case 'g': return put_cells<double>(optional, list, part, to);
    case 'f': return put_cells<float>(optional, list, part, to);
    case 'l': return put_cells<std::int64_t>(optional, list, part, to);
    case 'i': return put_cells<std::int32_t>(optional, list, part, to);
    default: return std::nullopt;
  }
}

}  // namespace noregret
