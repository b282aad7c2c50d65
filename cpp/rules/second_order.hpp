// What second-order rules share. A method says when it moves and how far; with v = xᵀΣx its step is a pair (a, k):
//
//   w ← w + a·Σx,   Σ⁻¹ ← Σ⁻¹ + k·xxᵀ
//
// Σ is a full matrix, kept as its factors, or only its diagonal is kept (Σ⁻¹ᵢᵢ ← Σ⁻¹ᵢᵢ + k·xᵢ²). A method declares kName, kFull
// (the name of its full form), each_parameter, variance() (of a feature not met), predict, loss, moves(y, score) and
// plan(y, score, v, weight); and kDoubles if its k is of the order of 1/v, so that rounds that contradict each other without end
// would take v to 0.
#pragma once

#include "rule.hpp"

namespace noregret {

// Contradictions halve a variance again and again, and it must not vanish: so much is added to what is left of it. (Factors::bounded
// does the same for the full matrix.)
inline constexpr double kLeast = 1e-100;

struct SecondOrder {
  double potential = 0.0;  // ‖w‖²

  void each_scalar(auto&& visit) { visit("potential", potential); }
  double variance() const { return 1.0; }
  double predict(double score) const { return sign(score); }
};

template <class Method>
struct Diagonal : Method {
  static constexpr std::array kLanes{"weight", "variance"};

  double initial(std::size_t lane) const { return lane == 0 ? 0.0 : this->variance(); }
  static auto measure(const auto& at, auto value) { return at[1] * value * value; }
  static void apply(auto& at, auto value, const auto& step) {
    at[0] += step[0] * at[1] * value;
    at[1] = at[1] / (1.0 + step[1] * at[1] * value * value) + kLeast;
  }
};

template <class Method>
struct Full : Method {
  static constexpr const char* kName = Method::kFull;
  static constexpr const char* kMatrix = "covariance";
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kDistinct = true;

  double initial(std::size_t) const { return 0.0; }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    if (!this->moves(y, score)) return false;
    Factors& factors = lanes.factors;
    const std::size_t known = factors.size();
    try {
      factors.meet(x, this->variance());
      if (learn_met(lanes, x, y, score, weight)) return true;
    } catch (...) {
      factors.forget(known);
      throw;
    }
    factors.forget(known);
    return false;
  }

 private:
  static constexpr double kFar = 1e100;  // sums of products of numbers below this are far from the end of the doubles

  // Learns from a row whose features have their places; false when there was no step to take, and all is as it was.
  bool learn_met(Lanes& lanes, const auto& x, double y, double score, double weight) {
    Factors& factors = lanes.factors;
    const std::size_t size = factors.size();
    const double v = factors.measure(x);
    const Step step = this->plan(y, score, v, weight);
    if (step == Step{}) return false;
    double* before = lanes.undo(2 * size);
    double* after = before + size;
    double largest = 0.0;
    for (std::size_t p = 0; p < size; ++p) {
      before[p] = lanes[0][factors.slots()[p]];
      largest = std::max(largest, std::abs(before[p]));
    }
    double growth = step[1];
    if constexpr (requires { Method::kDoubles; }) growth = factors.bounded(growth);
    const bool small = factors.prepare(growth) && std::abs(step[0]) * factors.farthest() <= kFar && largest <= kFar &&
                       std::abs(this->potential) <= kFar * kFar;
    Factors::Kept kept;  // what is changed in place may have to be put back
    if (!small) kept = factors.kept();
    const double change = move(factors.shrink(), before, after, size, step[0]);
    if (!small && !(std::isfinite(v + growth + step[0]) && std::isfinite(this->potential + change) && factors.are_sound())) {
      factors.put_back(std::move(kept));
      throw Refusal("BadInput", "learning from this row would overflow: its values are too large for a full covariance; "
                                "take scale=standard, or a larger ridge");
    }
    for (std::size_t p = 0; p < size; ++p) lanes[0][factors.slots()[p]] = after[p];
    this->potential += change;
    return true;
  }

  // The weights after w + step·Σx; gives the change of ‖w‖².
  static double move(const double* gain, const double* before, double* after, std::size_t size, double step) {
    double change = 0.0;
    for (std::size_t p = 0; p < size; ++p) {
      after[p] = before[p] + step * gain[p];
      change += (after[p] - before[p]) * (after[p] + before[p]);
    }
    return change;
  }
};

}  // namespace noregret
