// Coin betting, feature by feature: each has a wealth, and bets a part of it on the sign of its next
// pull c = −g, c ∈ [−1, 1]:  w = Σc/(2 + 2·Σ|c|)·wealth, wealth ← wealth + c·w.
// There is no rate to choose.                                     after Orabona & Pál 2016
// The importance of a round multiplies its pull; one beyond ±1 is cut off there.
#pragma once

#include "losses.hpp"

namespace noregret {

struct Coin {
  static constexpr const char* kName = "coin";
  static constexpr std::array kLanes{"weight", "wealth", "sum", "size"};

  double kind = 1.0;  // of loss
  double wealth = 1.0;
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) {
    visit("loss", kind);
    visit("wealth", wealth);
  }
  void each_scalar(auto&& visit) { visit("potential", potential); }

  double initial(std::size_t lane) const { return lane == 1 ? wealth : 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return loss_of(kind, score, y); }

  bool moves(double y, double score) const { return slope_of(kind, score, y) != 0.0; }
  Step plan(double y, double score, double, double weight) const { return {weight * slope_of(kind, score, y) * y}; }
  static void apply(auto& at, auto value, const auto& step) {
    const auto pull = larger(smaller(step[0] * value, 1.0), -1.0);
    at[1] += pull * at[0];
    at[2] += pull;
    at[3] += larger(pull, -pull);
    at[0] = at[2] / (2.0 + 2.0 * at[3]) * at[1];
  }
};

}  // namespace noregret
