// Classes as Python writes them: whole numbers and strings.
#pragma once

#include <nanobind/nanobind.h>

#include "../classes.hpp"

namespace noregret {

ClassLabel class_label(nanobind::handle label);
nanobind::object python_label(const ClassLabel& label);

}  // namespace noregret
