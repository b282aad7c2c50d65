// The native core as Python sees it. Python owns meaning; this side owns loops.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../instructions.hpp"
#include "../refusal.hpp"
#include "bindings.hpp"

namespace nb = nanobind;

namespace {

// A refusal becomes the exception of noregret.errors that it names.
void translate(const std::exception_ptr& problem, void*) {
  try {
    std::rethrow_exception(problem);
  } catch (const noregret::Refusal& refusal) {
    const nb::object type = nb::module_::import_("noregret.errors").attr(refusal.kind);
    const nb::object error = type(nb::str(refusal.sentence.c_str()));
    if (refusal.row >= 0) error.attr("row") = refusal.row;
    PyErr_SetObject(type.ptr(), error.ptr());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of noregret: loops, parsers, tables.";
  nb::set_leak_warnings(false);  // at the end of a program that was interrupted something may be alive: no news for a user
  nb::register_exception_translator(translate);
  m.def("kernel_names", &noregret::instruction_names, "The vector instructions that this processor has for the wide loops.");
  m.def("choose_kernels", &noregret::choose_instructions, nb::arg("name"), "Uses one of them from now on. All give the same bits.");
  noregret::bind_tally(m);
  noregret::bind_parsers(m);
  noregret::bind_paths(m);
  noregret::bind_matrix(m);
  noregret::bind_arrow(m);
  noregret::bind_parquet(m);
  noregret::bind_columns(m);
  noregret::bind_linear(m);
  noregret::bind_multiclass(m);
  noregret::bind_group(m);
  noregret::bind_judging(m);
  noregret::bind_experts(m);
  noregret::bind_finite(m);
}
