// The table of features as a model file keeps it.
#pragma once

#include <nanobind/nanobind.h>

#include "../features.hpp"

namespace noregret {

void save_features(const Features& features, nanobind::dict& state);
void restore_features(Features& features, const nanobind::dict& state);
std::size_t known_slots(const Features& features);

}  // namespace noregret
