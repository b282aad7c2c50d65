// AdaGrad, diagonal: every feature has its own rate, η/(δ + √Σg²).          Duchi et al. 2011
//   descent:    w ← w − η·g/(δ + √Σg²)
//   averaging:  w = −η·Σg/(δ + √Σg²)
// The importance of a round multiplies its gradient. Lane 0 is w/η.
#pragma once

#include "losses.hpp"

namespace noregret {

struct AdaptiveRates {
  static constexpr double kLeastDivisor = 1e-100;  // where δ, the second number of a step, is less, a quotient may leave the doubles

  double kind = 1.0;  // of loss
  double rate = 1.0;
  double delta = 1.0;
  double potential = 0.0;  // ‖w/η‖²

  void each_parameter(auto&& visit) {
    visit("loss", kind);
    visit("rate", rate);
    visit("delta", delta);
  }
  void each_scalar(auto&& visit) { visit("potential", potential); }

  double initial(std::size_t) const { return 0.0; }
  double factor() const { return rate; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return loss_of(kind, score, y); }

  bool moves(double y, double score) const { return pulls(kind, score, y); }
  Step plan(double y, double score, double, double weight) const { return {weight * slope_of(kind, score, y) * y, delta}; }
};

struct AdaGrad : AdaptiveRates {
  static constexpr const char* kName = "adagrad";
  static constexpr std::array kLanes{"weight", "squares"};

  static void apply(auto& at, auto value, const auto& step) {
    const auto pull = step[0] * value;
    at[1] += pull * pull;
    at[0] += pull / (step[1] + root(at[1]));
  }
};

struct AveragingAdaGrad : AdaptiveRates {
  static constexpr const char* kName = "averaging-adagrad";
  static constexpr std::array kLanes{"weight", "squares", "sum"};

  static void apply(auto& at, auto value, const auto& step) {
    const auto pull = step[0] * value;
    at[1] += pull * pull;
    at[2] += pull;
    at[0] = at[2] / (step[1] + root(at[1]));
  }
};

}  // namespace noregret
