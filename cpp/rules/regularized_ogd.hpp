// Online gradient descent that keeps the weights small: after each step w ← (1 − η·λ₂)·w, and every
// weight moves η·λ₁ towards 0 (the truncated gradient of Langford, Li & Zhang 2009).
//
// Both touch every weight in every round, so both are put off: w = scale·v, and what v still owes to
// λ₁ is the difference of two running sums, one of the rule and one of the feature.
#pragma once

#include "learning.hpp"
#include "losses.hpp"

namespace noregret {

struct RegularizedOgd {
  static constexpr const char* kName = "regularized-ogd";
  static constexpr std::array kLanes{"weight", "paid"};
  static constexpr bool kDistinct = true;
  static constexpr double kSmallest = 0x1p-100;  // below this the scale is worked into the weights

  double kind = 1.0, step = 1.0, rate = 1.0, l1 = 0.0, l2 = 0.0;
  double rounds = 0.0;
  double scale = 1.0;
  double due = 0.0;        // Σ η·λ₁, in units of v
  double potential = 0.0;  // ‖v‖², as last touched

  void each_parameter(auto&& visit) {
    visit("loss", kind);
    visit("step", step);
    visit("rate", rate);
    visit("l1", l1);
    visit("l2", l2);
  }
  void each_scalar(auto&& visit) {
    visit("rounds", rounds);
    visit("scale", scale);
    visit("due", due);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double factor() const { return scale; }
  double weight(const auto& at) const { return shrunk(at[0], due - at[1]); }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return loss_of(kind, score, y); }

  void tick() { rounds += 1.0; }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    const double pace = pace_of(step, rate, rounds), next = scale * (1.0 - pace * l2), later = due + pace * l1 / next;
    if (!std::isfinite(later)) throw Refusal("BadInput", "l1 is too large for this rate");
    const Step now{pace * weight * slope_of(kind, score, y) * y / next, due};
    potential += apply_step<RegularizedOgd>(lanes, x, now, potential);
    scale = next;
    due = later;
    if (scale < kSmallest) renew(lanes);
    return true;
  }

  static void apply(auto& at, auto value, const auto& step) {
    at[0] = shrunk(at[0], step[1] - at[1]) + step[0] * value;
    at[1] = step[1];
  }

 private:
  void renew(Lanes& lanes) {
    const auto slots = static_cast<std::ptrdiff_t>(lanes.size());
    for (std::ptrdiff_t slot = kBias; slot < slots; ++slot) {
      lanes[0][slot] = weight(numbers_at<RegularizedOgd>(lanes, slot)) * scale;
      lanes[1][slot] = 0.0;
    }
    potential *= scale * scale;
    scale = 1.0;
    due = 0.0;
  }
};

}  // namespace noregret
