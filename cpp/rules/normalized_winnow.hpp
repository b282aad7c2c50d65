// Normalised Winnow: on a mistake, wᵢ ← wᵢ·exp(η·y·xᵢ)/Z. Z changes no prediction and is left out,
// so that features may appear at any time: one not met yet weighs 1.   Kivinen & Warmuth 1997
#pragma once

#include "exponential.hpp"

namespace noregret {

struct NormalizedForm {
  static double weight(const auto& rule, double g) { return rule.power(g); }
  static double reach(double g) { return g; }  // a weight that only fell must not push the others down
};

struct NormalizedWinnow : Exponential<NormalizedForm> {
  static constexpr const char* kName = "normalized-winnow";
};

}  // namespace noregret
