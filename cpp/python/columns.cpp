// Room for numbers in numpy's memory, and numbers that are told by their places in a list.
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <span>

#include "../data/column.hpp"
#include "../data/places.hpp"
#include "../data/stacked.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

nb::object room(std::size_t size) {
  Column<double> out(size);
  out.cut(size);
  return given(std::move(out));
}

std::vector<bool> used_in(const nb::object& codes, std::size_t places) {
  const Buffer buffer(codes, "codes");
  return used_codes(buffer.data<std::int64_t>(), buffer.length(), places);
}

// The number at each place; for −1 the last one.
nb::object at_places(const nb::object& numbers, const nb::object& codes) {
  const Buffer listed(numbers, "numbers"), buffer(codes, "codes");
  const double* number = listed.data<double>();
  const std::int64_t* code = buffer.data<std::int64_t>();
  const std::size_t count = listed.length();
  if (count == 0 || !are_codes(code, buffer.length(), count - 1)) throw Refusal("BadInput", "a place is behind the end of its list");
  std::vector<double> from_one{number[count - 1]};
  from_one.insert(from_one.end(), number, number + count);
  Column<double> out(buffer.length() + 1);
  look_up(code, buffer.length(), [&](std::int64_t place) { return from_one[static_cast<std::size_t>(place + 1)]; }, out.data());
  out.cut(buffer.length());
  return given(std::move(out));
}

// The cells of a table that are there.
nb::object present(const nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>& table, const nb::object& features) {
  const Buffer buffer(features, "features");
  const std::span<const std::int32_t> columns(sized<std::int32_t>(buffer, table.shape(1)), table.shape(1));
  const std::size_t rows = table.shape(0);
  if (rows > 1 && table.stride(0) != 1) throw Refusal("BadInput", "the columns of a table are whole");
  if (rows * columns.size() > std::numeric_limits<std::int32_t>::max()) throw Refusal("BadInput", "a table has more cells than are told apart");
  std::optional<Compressed> found;
  {
    nb::gil_scoped_release release;
    found.emplace(table.data(), table.stride(1), rows, columns);
  }
  return given(std::move(*found));
}

}  // namespace

void bind_columns(nb::module_& m) {
  m.def("used_codes", &used_in, "codes"_a, "places"_a, nb::sig("def used_codes(codes: typing.Any, places: int) -> list[bool]"),
        "Whether there are codes that are -1, then whether some are 0, 1 and so on.");
  m.def("at_places", &at_places, "numbers"_a, "codes"_a, nb::sig("def at_places(numbers: typing.Any, codes: typing.Any) -> typing.Any"),
        "Gives the number at the place of each code; -1 is the last one.");
  m.def("present", &present, "table"_a, "features"_a, nb::sig("def present(table: typing.Any, features: typing.Any) -> tuple[typing.Any, typing.Any, typing.Any]"),
        "Gives the cells of a table that are not NaN as compressed sparse rows: values, features, starts. A column has a feature, or -1: then its cells are features.");
  m.def("room", &room, "size"_a, nb::sig("def room(size: int) -> typing.Any"), "Room for so many numbers, to be written before they are read; memory that was used before, if there is some.");
}

}  // namespace noregret
