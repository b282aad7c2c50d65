// FTRL-proximal: z ← z + g − (√(n + g²) − √n)/α·w, n ← n + g², and
// w = −(z shrunk by λ₁)/((β + √n)/α + λ₂): exactly 0 while |z| ≤ λ₁.     McMahan et al. 2013
// The importance of a round multiplies its gradient.
#pragma once

#include "learning.hpp"
#include "losses.hpp"

namespace noregret {

struct Ftrl {
  static constexpr const char* kName = "ftrl";
  static constexpr std::array kLanes{"weight", "z", "n"};
  static constexpr bool kDistinct = true;

  double kind = 3.0;  // of loss
  double alpha = 0.1, beta = 1.0, l1 = 0.0, l2 = 0.0;
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) {
    visit("loss", kind);
    visit("alpha", alpha);
    visit("beta", beta);
    visit("l1", l1);
    visit("l2", l2);
  }
  void each_scalar(auto&& visit) { visit("potential", potential); }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return loss_of(kind, score, y); }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    const double slope = slope_of(kind, score, y);
    if (slope == 0.0) return false;
    const std::array<double, 5> step{weight * slope * y, alpha, beta, l1, l2};
    potential += apply_step<Ftrl>(lanes, x, step, potential);
    return true;
  }

  static void apply(auto& at, auto value, const auto& step) {
    const auto pull = step[0] * value, before = root(at[2]);
    at[2] += pull * pull;
    const auto after = root(at[2]);
    at[1] -= pull + (after - before) / step[1] * at[0];
    at[0] = shrunk(-at[1], step[3]) / ((step[2] + after) / step[1] + step[4]);
  }
};

}  // namespace noregret
