// Columns of a table in memory to rows, a few rows of all columns at a time: they stay in the processor's cache.
#include <nanobind/stl/vector.h>

#include <array>
#include <deque>
#include <variant>

#include "../data/column.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

// The cells of a column; or one number that stands in all of them.
using Cells = std::variant<double, const double*, const float*, const std::int64_t*, const std::int32_t*, const std::int8_t*, const std::uint8_t*>;

template <class... T>
Cells cells_of(const Buffer& buffer, std::size_t rows, std::variant<double, const T*...>*) {
  Cells cells = 0.0;
  const bool found = ((buffer.holds<T>() && (cells = sized<const T>(buffer, rows), true)) || ...);
  if (!found) throw Refusal("BadType", "a column must hold numbers");
  return cells;
}

// Rows of so many cells, that are filled column by column.
template <class To>
class Tile {
 public:
  Tile(To* to, std::size_t width, std::size_t begin, std::size_t end) : to_(to), width_(width), begin_(begin), end_(end) {}

  void fill(std::size_t column, const Cells& cells) {
    std::visit([&](auto from) { fill_with(column, std::array{from}); }, cells);
  }
  // So many columns at once, which is a line of the cache: each is written once. False when they do not all hold doubles.
  static constexpr std::size_t kFew = 8;
  bool fill_few(std::size_t column, const Cells* cells) {
    std::array<const double*, kFew> from;
    for (std::size_t j = 0; j < kFew; ++j) {
      if (!std::holds_alternative<const double*>(cells[j])) return false;
      from[j] = std::get<const double*>(cells[j]);
    }
    fill_with(column, from);
    return true;
  }
  bool has_nan() const { return nan_; }

 private:
  template <std::size_t N, class From>
  void fill_with(std::size_t column, const std::array<From, N>& from) {
    bool nan = false;
    To* to = to_ + begin_ * width_ + column;
    for (std::size_t r = begin_; r < end_; ++r, to += width_) {
      for (std::size_t j = 0; j < N; ++j) {
        To cell;
        if constexpr (std::is_pointer_v<From>) {
          cell = static_cast<To>(from[j][r]);
        } else {
          cell = static_cast<To>(from[j]);
        }
        nan |= cell != cell;
        to[j] = cell;
      }
    }
    nan_ |= nan;
  }

  To* to_;
  std::size_t width_, begin_, end_;
  bool nan_ = false;
};

// None when a cell is NaN.
template <class To>
nb::object laid_out(const std::vector<nb::object>& columns, std::size_t rows) {
  constexpr std::size_t kTile = 128;
  std::deque<Buffer> buffers;
  std::vector<Cells> all;
  for (const nb::object& column : columns) {
    if (PyFloat_Check(column.ptr()) || PyLong_Check(column.ptr())) {
      all.emplace_back(nb::cast<double>(column));
    } else {
      all.push_back(cells_of(buffers.emplace_back(column, "a column"), rows, static_cast<Cells*>(nullptr)));
    }
  }
  const std::size_t width = all.size();
  Column<To> out(rows * width);
  bool nan = false;
  {
    nb::gil_scoped_release release;
    for (std::size_t begin = 0; begin < rows && !nan; begin += kTile) {
      Tile<To> tile(out.data(), width, begin, std::min(rows, begin + kTile));
      for (std::size_t j = 0; j < width;) {
        if (j + tile.kFew <= width && tile.fill_few(j, &all[j])) {
          j += tile.kFew;
        } else {
          tile.fill(j, all[j]);
          ++j;
        }
      }
      nan = tile.has_nan();
    }
  }
  if (nan) return nb::none();
  out.cut(rows * width);
  return given(std::move(out));
}

}  // namespace

void bind_columns(nb::module_& m) {
  constexpr const char* kSays = "Lays columns of the same length side by side, row after row; a number stands in every row. None when there is a NaN.";
  m.def("rows_of_numbers", &laid_out<double>, "columns"_a, "rows"_a, nb::sig("def rows_of_numbers(columns: list[typing.Any], rows: int) -> typing.Any"), kSays);
  m.def("rows_of_places", &laid_out<std::int32_t>, "columns"_a, "rows"_a, nb::sig("def rows_of_places(columns: list[typing.Any], rows: int) -> typing.Any"), kSays);
}

}  // namespace noregret
