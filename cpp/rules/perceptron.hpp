// Perceptron: on a mistake, and when y·⟨w, x⟩ < margin, w ← w + η·y·x.   Rosenblatt 1958, Novikoff 1962
#pragma once

#include "rule.hpp"

namespace noregret {

struct Perceptron {
  static constexpr const char* kName = "perceptron";
  static constexpr std::array kLanes{"weight"};

  double rate = 1.0;
  double margin = 0.0;
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) {
    visit("rate", rate);
    visit("margin", margin);
  }
  void each_scalar(auto&& visit) { visit("potential", potential); }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  bool moves(double y, double score) const { return predict(score) != y || y * score < margin; }
  Step plan(double y, double, double, double weight) const { return {rate * weight * y}; }
  static void apply(auto& at, auto value, const auto& step) { at[0] += step[0] * value; }
};

}  // namespace noregret
