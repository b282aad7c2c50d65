// Passive-Aggressive: when y·⟨w, x⟩ < 1, w ← w + τ·y·x, with ℓ = 1 − y·⟨w, x⟩ and
//   PA:    τ = ℓ/‖x‖²              the least step that makes the round right by a margin of 1
//   PA-I:  τ = min(C, ℓ/‖x‖²)
//   PA-II: τ = ℓ/(‖x‖² + 1/(2C))                                        Crammer et al. 2006
// The importance of a round multiplies C; PA, which has none, makes every round right.
#pragma once

#include "losses.hpp"

namespace noregret {

struct Aggressive {
  static constexpr std::array kLanes{"weight"};

  double potential = 0.0;  // ‖w‖²

  void each_scalar(auto&& visit) { visit("potential", potential); }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return std::max(0.0, 1.0 - y * score); }

  bool moves(double y, double score) const { return 1.0 - y * score > 0.0; }
  static auto measure(const auto&, auto value) { return value * value; }
  static void apply(auto& at, auto value, const auto& step) { at[0] += step[0] * value; }
};

struct PassiveAggressive : Aggressive {
  static constexpr const char* kName = "pa";

  void each_parameter(auto&&) {}
  Step plan(double y, double score, double square, double) const {
    return {square >= kTiny ? (1.0 - y * score) / square * y : 0.0};
  }
};

struct PassiveAggressiveOne : Aggressive {
  static constexpr const char* kName = "pa1";

  double C = 1.0;

  void each_parameter(auto&& visit) { visit("C", C); }
  Step plan(double y, double score, double square, double weight) const {
    return {square >= kTiny ? smaller(C * weight, (1.0 - y * score) / square) * y : 0.0};
  }
};

struct PassiveAggressiveTwo : Aggressive {
  static constexpr const char* kName = "pa2";

  double C = 1.0;

  void each_parameter(auto&& visit) { visit("C", C); }
  Step plan(double y, double score, double square, double weight) const {
    return {square >= kTiny ? (1.0 - y * score) / (square + 0.5 / (C * weight)) * y : 0.0};
  }
};

}  // namespace noregret
