// The Vapnik–Chervonenkis dimension: the most points on which the class shows every pattern.
#pragma once

#include "dimension.hpp"

namespace noregret {

struct VcResult {
  Bounds bounds;
  std::vector<std::uint32_t> points;  // `bounds.lower` of them, shattered
};

VcResult vc_dimension(const FiniteClass& all, std::uint64_t limit, const Progress& progress);

}  // namespace noregret
