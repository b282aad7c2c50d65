// Online ridge regression, the forecaster of Vovk, Azoury and Warmuth: least squares over all rounds so far, x itself
// among them with the number 0. With w = (a·I + Σxxᵀ)⁻¹·Σyx and v = xᵀ(a·I + Σxxᵀ)⁻¹x the prediction is ⟨w,x⟩/(1 + v).
//                                                                       Vovk 2001; Azoury & Warmuth 2001
#pragma once

#include "learning.hpp"
#include "second_order.hpp"

namespace noregret {

struct Forecaster : SecondOrder {
  static constexpr const char* kFull = "ridge";
  static constexpr bool kNumbers = true;

  double ridge = 1.0;

  void each_parameter(auto&& visit) { visit("ridge", ridge); }
  double variance() const { return 1.0 / ridge; }
  double predict(double score) const { return score; }
  double loss(double score, double y) const { return (score - y) * (score - y); }
  bool moves(double, double) const { return true; }  // even a number that was right makes it surer
  // A round of importance p counts as p rounds.
  Step plan(double y, double score, double v, double weight) const {
    return {weight * (y - score * (1.0 + v)) / (1.0 + weight * v), weight};
  }

  // The prediction for a row whose ⟨w,x⟩ is known. Features never met have the variance they start with.
  double score(const Lanes& lanes, const auto& x, double sum) const {
    double v = 0.0;
    Merger once;
    once(x, [&](const auto& row) {
      v = lanes.factors.measure(row);
      row.each([&](std::ptrdiff_t slot, double value) {
        if (value != 0.0 && !lanes.factors.has(slot)) v += variance() * value * value;
      });
      return true;
    });
    return sum / (1.0 + v) + 0.0;
  }
};

}  // namespace noregret
