// Multiclass Winnow, balanced: on a mistake the exponents of the right class move by η·x, those of the
// rival by −η·x; the weight of an exponent g is eᵍ − e⁻ᵍ.      Littlestone 1989, by Kesler's construction
#pragma once

#include "rule.hpp"

namespace noregret {

struct MulticlassWinnow {
  static constexpr const char* kName = "winnow";
  static constexpr std::array kLanes{"weight", "exponent"};
  static constexpr double kReach = 300.0;  // an exponent stops here: e³⁰⁰ squared is still a double

  double rate = 0.1;
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) { visit("rate", rate); }
  void each_scalar(auto&& visit) { visit("potential", potential); }

  double initial(std::size_t) const { return 0.0; }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  bool moves(double y, double score) const { return sign(score) != y; }
  Step plan(double y, double, double, double weight) const { return {rate * weight * y}; }
  static void apply(auto& at, auto value, const auto& step) {
    at[1] = std::clamp(at[1] + step[0] * value, -kReach, kReach);
    at[0] = std::exp(at[1]) - std::exp(-at[1]);
  }
};

}  // namespace noregret
