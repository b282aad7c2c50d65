// Columns of a table in memory to rows, a few rows of all columns at a time: they stay in the processor's cache.
#include <nanobind/stl/vector.h>

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
  {
    nb::gil_scoped_release release;
    for (std::size_t begin = 0; begin < rows; begin += kTile) {
      const std::size_t end = std::min(rows, begin + kTile);
      for (std::size_t j = 0; j < width; ++j) {
        To* to = out.data() + begin * width + j;
        std::visit([&](auto cells) {
          for (std::size_t r = begin; r < end; ++r, to += width) {
            if constexpr (std::is_pointer_v<decltype(cells)>) {
              *to = static_cast<To>(cells[r]);
            } else {
              *to = static_cast<To>(cells);
            }
          }
        }, all[j]);
      }
    }
  }
  out.cut(rows * width);
  return given(std::move(out));
}

}  // namespace

void bind_columns(nb::module_& m) {
  constexpr const char* kSays = "Lays columns of the same length side by side, row after row; a number stands in every row.";
  m.def("rows_of_numbers", &laid_out<double>, "columns"_a, "rows"_a, nb::sig("def rows_of_numbers(columns: list[typing.Any], rows: int) -> typing.Any"), kSays);
  m.def("rows_of_places", &laid_out<std::int32_t>, "columns"_a, "rows"_a, nb::sig("def rows_of_places(columns: list[typing.Any], rows: int) -> typing.Any"), kSays);
}

}  // namespace noregret
