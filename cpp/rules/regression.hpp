// Rules that predict a number: the score itself.
#pragma once

#include "rule.hpp"

namespace noregret {

struct Regression {
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kNumbers = true;

  double potential = 0.0;  // ‖w‖²

  void each_scalar(auto&& visit) { visit("potential", potential); }
  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return score; }
  static void apply(auto& at, auto value, const auto& step) { at[0] += step[0] * value; }
};

// w ← w + η·(y − ⟨w,x⟩)·x.                     Widrow & Hoff 1960; Cesa-Bianchi, Long & Warmuth 1996
struct WidrowHoff : Regression {
  static constexpr const char* kName = "widrow-hoff";

  double rate = 0.01;

  void each_parameter(auto&& visit) { visit("rate", rate); }
  double loss(double score, double y) const { return (score - y) * (score - y); }
  bool moves(double y, double score) const { return score != y; }
  Step plan(double y, double score, double, double weight) const { return {rate * weight * (y - score)}; }
};

// When |y − ⟨w,x⟩| > ε, w moves along x by ℓ/‖x‖², ℓ = |y − ⟨w,x⟩| − ε: at most C in the first form, and over
// ‖x‖² + 1/(2C) in the second. The importance of a round multiplies C.               Crammer et al. 2006
struct PaRegression : Regression {
  static constexpr const char* kName = "pa-regression";

  double epsilon = 0.1, C = 1.0, form = 1.0;

  void each_parameter(auto&& visit) {
    visit("epsilon", epsilon);
    visit("C", C);
    visit("form", form);
  }
  double loss(double score, double y) const { return std::max(0.0, std::abs(y - score) - epsilon); }
  bool moves(double y, double score) const { return std::abs(y - score) > epsilon; }
  static auto measure(const auto&, auto value) { return value * value; }
  Step plan(double y, double score, double square, double weight) const {
    if (square == 0.0) return {};
    const double short_by = std::abs(y - score) - epsilon;
    const double size = form == 2.0 ? short_by / (square + 0.5 / (C * weight)) : smaller(C * weight, short_by / square);
    return {y > score ? size : -size};
  }
};

// w ← w + η·τ·x when the number was too small, w ← w − η·(1 − τ)·x when it was too large: the loss of the quantile τ,
// down its slope.                                                          Koenker & Bassett 1978; Zinkevich 2003
struct QuantileRegression : Regression {
  static constexpr const char* kName = "quantile-regression";

  double quantile = 0.5, rate = 0.1;

  void each_parameter(auto&& visit) {
    visit("quantile", quantile);
    visit("rate", rate);
  }
  double loss(double score, double y) const { return y > score ? quantile * (y - score) : (1.0 - quantile) * (score - y); }
  bool moves(double y, double score) const { return score != y; }
  Step plan(double y, double score, double, double weight) const {
    return {rate * weight * (y > score ? quantile : quantile - 1.0)};
  }
};

// ---- baselines -----------------------------------------------------------------------------------------------------

struct NumberBaseline {
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kNumbers = true;
  double potential = 0.0;

  void each_parameter(auto&&) {}
  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return score; }
  double loss(double score, double y) const { return (score - y) * (score - y); }
};

// The mean of the numbers so far, by importance; 0 before the first.
struct Mean : NumberBaseline {
  static constexpr const char* kName = "mean";

  double mean = 0.0, total = 0.0;

  void each_scalar(auto&& visit) {
    visit("mean", mean);
    visit("total", total);
  }
  double shift() const { return mean; }
  bool learn(Lanes&, const auto&, double y, double, double weight) {
    const double after = total + weight, moved = mean + (y - mean) * (weight / after);
    if (!std::isfinite(after + moved)) throw Refusal("BadInput", "the number of this row is too large to be averaged");
    const bool changed = moved != mean;
    total = after;
    mean = moved;
    return changed;
  }
};

// The number of the round before; 0 before the first.
struct LastValue : NumberBaseline {
  static constexpr const char* kName = "last-value";

  double last = 0.0;

  void each_scalar(auto&& visit) { visit("last", last); }
  double shift() const { return last; }
  bool learn(Lanes&, const auto&, double y, double, double) {
    const bool changed = last != y;
    last = y;
    return changed;
  }
};

}  // namespace noregret
