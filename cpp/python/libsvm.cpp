#include "../libsvm.hpp"

#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {

void bind_libsvm(nb::module_& m) {
  nb::class_<ParsedRows>(m, "ParsedRows", "A block of text as sparse rows, and what stopped the parser, if anything did.")
      .def_ro("fault", &ParsedRows::fault)
      .def_prop_ro("token", [](const ParsedRows& rows) { return nb::bytes(rows.token.data(), rows.token.size()); })
      .def_ro("fault_line", &ParsedRows::fault_line)
      .def_ro("fault_column", &ParsedRows::fault_column)
      .def_ro("line_count", &ParsedRows::line_count)
      .def("take", [](ParsedRows& rows) {
        return nb::make_tuple(given(std::move(rows.labels)), given(std::move(rows.values)), given(std::move(rows.indices)),
                              given(std::move(rows.starts)), given(std::move(rows.lines)));
      }, nb::sig("def take(self) -> tuple[typing.Any, typing.Any, typing.Any, typing.Any, typing.Any]"), "Hands over labels, values, indices, starts and line numbers, once.");
  m.def("parse_libsvm", [](nb::bytes text, std::int64_t first_line) {
    const std::string_view view(text.c_str(), text.size());
    nb::gil_scoped_release release;
    return parse_libsvm(view, first_line);
  }, "text"_a, "first_line"_a, "Parses whole lines of libsvm text.");
}

}  // namespace noregret
