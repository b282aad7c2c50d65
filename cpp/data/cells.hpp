// The cells of a column, whatever numbers they are.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

namespace noregret {

// Where they lie; or one number that stands in all of them.
using Cells = std::variant<double, const double*, const float*, const std::int64_t*, const std::int32_t*, const std::int8_t*, const std::uint8_t*>;

// Numbers by the letter that Arrow has for them, from a place in a column on; 0 where they are others.
inline Cells cells_at(char letter, const void* first, std::int64_t place) {
  switch (letter) {
    case 'g': return static_cast<const double*>(first) + place;
    case 'f': return static_cast<const float*>(first) + place;
    case 'l': return static_cast<const std::int64_t*>(first) + place;
    case 'i': return static_cast<const std::int32_t*>(first) + place;
    case 'c': return static_cast<const std::int8_t*>(first) + place;
    case 'C': return static_cast<const std::uint8_t*>(first) + place;
    default: return 0.0;
  }
}

// How many bytes such a number has; 0 where they are others.
inline std::size_t size_of_letter(char letter) {
  return std::visit([](auto cells) -> std::size_t {
    if constexpr (std::is_pointer_v<decltype(cells)>) return sizeof(*cells);
    return 0;
  }, cells_at(letter, nullptr, 0));
}

}  // namespace noregret
