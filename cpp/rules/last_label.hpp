// The label of the round before: a baseline that any learner of a stream should beat.
#pragma once

#include "rule.hpp"

namespace noregret {

struct LastLabel {
  static constexpr const char* kName = "last-label";
  static constexpr std::array kLanes{"weight"};

  double last = 0.0;  // 0 before the first label, and sign(0) = +1
  double potential = 0.0;

  void each_parameter(auto&&) {}
  void each_scalar(auto&& visit) { visit("last", last); }

  double initial(std::size_t) const { return 0.0; }
  double shift() const { return last; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return predict(score) == y ? 0.0 : 1.0; }

  bool learn(Lanes&, const auto&, double y, double, double) {
    const bool changed = last != y;
    last = y;
    return changed;
  }
};

}  // namespace noregret
