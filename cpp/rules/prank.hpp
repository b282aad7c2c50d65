// PRank: the rank of x is the first r with ⟨w,x⟩ < b_r. When it is wrong, every threshold on the wrong side of the score
// moves by 1 towards its own, and w by x times their number.                                   Crammer & Singer 2001
#pragma once

#include <string>

#include "../require.hpp"
#include "rule.hpp"

namespace noregret {

struct Prank {
  static constexpr const char* kName = "prank";
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kNumbers = true;
  static constexpr bool kDistinct = true;
  static constexpr bool kShifting = true;
  static constexpr std::size_t kMost = 64;  // ranks

  double ranks = 2.0;
  double potential = 0.0;                    // ‖w‖²
  std::array<double, kMost - 1> thresholds{};  // ranks − 1 of them, the smallest first

  void each_parameter(auto&& visit) { visit("ranks", ranks); }
  void each_scalar(auto&& visit) {
    static const auto kNames = [] {
      std::array<std::string, kMost - 1> names;
      for (std::size_t r = 0; r < names.size(); ++r) names[r] = "threshold-" + std::to_string(r + 1);
      return names;
    }();
    visit("potential", potential);
    for (std::size_t r = 0; r < count(); ++r) visit(kNames[r].c_str(), thresholds[r]);
  }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const {
    std::size_t r = 0;
    while (r < count() && !(score < thresholds[r])) ++r;
    return static_cast<double>(r + 1);
  }
  double loss(double score, double y) const { return std::abs(predict(score) - y); }

  void require_truth(double y) const {
    if (y >= 1.0 && y <= ranks && y == std::floor(y)) return;
    throw Refusal("BadLabel", "the rank is " + shown(y) + "; it is a whole number from 1 to " + shown(ranks));
  }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    if (predict(score) == y) return false;
    auto moved = thresholds;
    double step = 0.0, doubt = 0.0;
    for (std::size_t r = 0; r < count(); ++r) {
      const double side = y > static_cast<double>(r + 1) ? 1.0 : -1.0;
      if ((score - thresholds[r]) * side > 0.0) continue;
      step += weight * side;
      moved[r] -= weight * side;
      doubt += moved[r] * 0.0;
    }
    if (!std::isfinite(step + doubt)) throw Refusal("BadInput", "the importance of this row is too large to be learned from");
    keep_order(moved, static_cast<std::size_t>(y) - 1);
    potential += add(lanes, 0, step, x, potential);
    thresholds = moved;
    return true;
  }

 private:
  // Steps of 1 never make thresholds overtake each other; steps by an importance stop at the neighbour. Those before
  // `middle` may have gone down, the others up.
  void keep_order(std::array<double, kMost - 1>& moved, std::size_t middle) const {
    for (std::size_t r = 1; r < middle; ++r) moved[r] = std::max(moved[r], moved[r - 1]);
    for (std::size_t r = count(); r-- > middle + 1;) moved[r - 1] = std::min(moved[r - 1], moved[r]);
  }
  std::size_t count() const { return static_cast<std::size_t>(ranks) - 1; }
};

}  // namespace noregret
