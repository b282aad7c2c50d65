#include "class_labels.hpp"

#include <nanobind/stl/string.h>

#include "../refusal.hpp"

namespace nb = nanobind;

namespace noregret {

ClassLabel class_label(nb::handle label) {
  if (PyUnicode_Check(label.ptr())) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(label.ptr(), &size);
    if (text != nullptr) return std::string(text, static_cast<std::size_t>(size));
    PyErr_Clear();
    throw Refusal("BadLabel", "a class cannot be written as UTF-8");
  }
  const double number = PyFloat_AsDouble(label.ptr());
  if (number == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    throw Refusal("BadLabel", "the label is " + nb::cast<std::string>(nb::repr(label)) + "; a class is a whole number or a string");
  }
  return number + 0.0;  // −0 is 0
}

nb::object python_label(const ClassLabel& label) {
  if (const auto* number = std::get_if<double>(&label)) return nb::int_(static_cast<std::int64_t>(*number));
  const auto& text = std::get<std::string>(label);
  return nb::str(text.data(), text.size());
}

}  // namespace noregret
