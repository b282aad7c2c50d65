// One example, as Python gives it: a dict, a one-dimensional array or a sparse row.
#pragma once

#include <nanobind/nanobind.h>

#include "../features.hpp"
#include "dicts.hpp"

namespace noregret {

// Looks up the features of `x`, in the order in which it has them.
void resolve(nanobind::handle x, const Features& features, LastExample& last, Resolved& row);

}  // namespace noregret
