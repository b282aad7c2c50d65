// Room for numbers in numpy's memory.
#include "../data/column.hpp"
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

}  // namespace

void bind_columns(nb::module_& m) {
  m.def("room", &room, "size"_a, nb::sig("def room(size: int) -> typing.Any"), "Room for so many numbers, to be written before they are read; memory that was used before, if there is some.");
}

}  // namespace noregret
