// Baselines for several classes. They look at no feature: what they know of a class is its bias.
#pragma once

#include "rule.hpp"

namespace noregret {

// The class seen most often so far, by importance.
struct ClassMajority {
  static constexpr const char* kName = "majority";
  static constexpr std::array kLanes{"weight"};
  double potential = 0.0;

  void each_parameter(auto&&) {}
  void each_scalar(auto&&) {}
  double initial(std::size_t) const { return 0.0; }

  bool count(double* counts, std::size_t, std::size_t right, double weight) const {
    if (!std::isfinite(counts[right] + weight)) throw Refusal("BadInput", "the importance of this row is too large to be counted");
    counts[right] += weight;
    return true;
  }
};

// The class of the round before.
struct LastClass {
  static constexpr const char* kName = "last-label";
  static constexpr std::array kLanes{"weight"};
  double potential = 0.0;

  void each_parameter(auto&&) {}
  void each_scalar(auto&&) {}
  double initial(std::size_t) const { return 0.0; }

  bool count(double* counts, std::size_t classes, std::size_t right, double) const {
    const bool changed = counts[right] != 1.0;
    std::fill_n(counts, classes, 0.0);
    counts[right] = 1.0;
    return changed;
  }
};

}  // namespace noregret
