// Columns of numbers in numpy's memory, and room for more.
#include <nanobind/stl/vector.h>

#include <deque>

#include "../data/column.hpp"
#include "../data/tile.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

template <class... T>
Cells cells_of(const Buffer& buffer, std::size_t rows, std::variant<double, const T*...>*) {
  Cells cells = 0.0;
  const bool found = ((buffer.holds<T>() && (cells = sized<const T>(buffer, rows), true)) || ...);
  if (!found) throw Refusal("BadType", "a column must hold numbers");
  return cells;
}

// None when a cell is NaN.
template <class To>
nb::object laid_out(const std::vector<nb::object>& columns, std::size_t rows) {
  std::deque<Buffer> buffers;
  std::vector<Cells> all;
  for (const nb::object& column : columns) {
    if (PyFloat_Check(column.ptr()) || PyLong_Check(column.ptr())) {
      all.emplace_back(nb::cast<double>(column));
    } else {
      all.push_back(cells_of(buffers.emplace_back(column, "a column"), rows, static_cast<Cells*>(nullptr)));
    }
  }
  Column<To> out(rows * all.size());
  bool whole;
  {
    nb::gil_scoped_release release;
    whole = lay_out(all, rows, out.data());
  }
  if (!whole) return nb::none();
  out.cut(rows * all.size());
  return given(std::move(out));
}

nb::object room(std::size_t size) {
  Column<double> out(size);
  out.cut(size);
  return given(std::move(out));
}

}  // namespace

void bind_columns(nb::module_& m) {
  constexpr const char* kSays = "Lays columns of the same length side by side, row after row; a number stands in every row. None when there is a NaN.";
  m.def("rows_of_numbers", &laid_out<double>, "columns"_a, "rows"_a, nb::sig("def rows_of_numbers(columns: list[typing.Any], rows: int) -> typing.Any"), kSays);
  m.def("rows_of_places", &laid_out<std::int32_t>, "columns"_a, "rows"_a, nb::sig("def rows_of_places(columns: list[typing.Any], rows: int) -> typing.Any"), kSays);
  m.def("room", &room, "size"_a, nb::sig("def room(size: int) -> typing.Any"), "Room for so many numbers, to be written before they are read; memory that was used before, if there is some.");
}

}  // namespace noregret
