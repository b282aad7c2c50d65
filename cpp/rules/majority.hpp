// The label seen most often so far, by importance: what "always say the same" comes to online.
#pragma once

#include "rule.hpp"

namespace noregret {

struct Majority {
  static constexpr const char* kName = "majority";
  static constexpr std::array kLanes{"weight"};

  double balance = 0.0;  // Σ weight·y; a tie says +1
  double potential = 0.0;

  void each_parameter(auto&&) {}
  void each_scalar(auto&& visit) { visit("balance", balance); }

  double initial(std::size_t) const { return 0.0; }
  double shift() const { return balance; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return predict(score) == y ? 0.0 : 1.0; }

  bool learn(Lanes&, const auto&, double y, double, double weight) {
    if (!std::isfinite(balance + weight * y)) {
      throw Refusal("BadInput", "the importance of this row is too large to be counted");
    }
    balance += weight * y;
    return true;
  }
};

}  // namespace noregret
