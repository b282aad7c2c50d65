// Perceptron: on a mistake, w ← w + η·y·x.                    Rosenblatt 1958, Novikoff 1962
#pragma once

#include "rule.hpp"

namespace noregret {

struct Perceptron {
  static constexpr const char* kName = "perceptron";
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kBinary = false;

  double rate = 1.0;
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) { visit("rate", rate); }
  void each_scalar(auto&& visit) { visit("potential", potential); }

  double initial(std::size_t) const { return 0.0; }
  double shift() const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    if (predict(score) == y) return false;
    potential += add(lanes, 0, rate * weight * y, x, potential);
    return true;
  }
};

}  // namespace noregret
