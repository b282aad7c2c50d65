// Balanced Winnow: the normalised form over the features (x, −x). The two weights of a feature
// are eᵍ and e⁻ᵍ, so one exponent keeps both; the weight that x meets is their difference.
//                                                              Littlestone 1989
#pragma once

#include "exponential.hpp"

namespace noregret {

struct BalancedForm {
  static double weight(const auto& rule, double g) { return rule.power(g) - rule.power(-g); }
  static double reach(double g) { return std::abs(g); }
};

struct BalancedWinnow : Exponential<BalancedForm> {
  static constexpr const char* kName = "balanced-winnow";
};

}  // namespace noregret
