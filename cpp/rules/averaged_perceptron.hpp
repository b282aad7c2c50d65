// Averaged Perceptron: w learns as the Perceptron does; what predicts is the average of the w after
// each labelled round.                                       Freund & Schapire 1999, Collins 2002
//
// A step s·x in round t is part of T − t + 1 of the T weights, so their sum is (T+1)·w − Σ t·s·x:
// one more number a feature, touched only when w is.
#pragma once

#include "learning.hpp"
#include "losses.hpp"

namespace noregret {

struct AveragedPerceptron {
  static constexpr const char* kName = "averaged-perceptron";
  static constexpr std::array kLanes{"weight", "late"};
  static constexpr bool kDistinct = true;

  double rate = 1.0;
  double rounds = 0.0;     // T
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) { visit("rate", rate); }
  void each_scalar(auto&& visit) {
    visit("rounds", rounds);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double weight(const auto& at) const { return (rounds + 1.0) * at[0] - at[1]; }
  double factor() const { return 1.0 / larger(rounds, 1.0); }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  void tick() { rounds += 1.0; }

  bool learn(Lanes& lanes, const auto& x, double y, double, double weight) {
    double own = 0.0;
    x.each([&](auto slot, double value) { own += lanes[0][slot] * value; });
    if (!std::isfinite(own)) refuse_overflow();
    if (sign(own) == y) return false;
    const double step = rate * weight * y;
    potential += apply_step<AveragedPerceptron>(lanes, x, Step{step, rounds * step}, potential);
    return true;
  }

  static void apply(auto& at, auto value, const auto& step) {
    at[0] += step[0] * value;
    at[1] += step[1] * value;
  }
};

}  // namespace noregret
