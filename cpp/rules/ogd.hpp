// Online gradient descent: w ← w − η_t·∇ℓ(w).                              Zinkevich 2003
#pragma once

#include "losses.hpp"

namespace noregret {

struct Ogd {
  static constexpr const char* kName = "ogd";
  static constexpr std::array kLanes{"weight"};

  double kind = 1.0;  // of loss
  double step = 1.0;  // kind of step
  double rate = 1.0;
  double rounds = 0.0;     // with a label
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) {
    visit("loss", kind);
    visit("step", step);
    visit("rate", rate);
  }
  void each_scalar(auto&& visit) {
    visit("rounds", rounds);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return loss_of(kind, score, y); }

  void tick() { rounds += 1.0; }
  bool moves(double y, double score) const { return pulls(kind, score, y); }
  Step plan(double y, double score, double, double weight) const {
    return {pace_of(step, rate, rounds) * weight * slope_of(kind, score, y) * y};
  }
  static void apply(auto& at, auto value, const auto& step) { at[0] += step[0] * value; }
};

}  // namespace noregret
