// Recursive least squares on the rounds that teach.
//
//   SOP    on a mistake: w = (a·I + Σxxᵀ)⁻¹·Σyx over the mistakes.     Cesa-Bianchi, Conconi & Gentile 2005
//   AROW   when y⟨w,x⟩ < 1: the same over those rounds, with r.        Crammer, Kulesza & Dredze 2009
//   NHERD  when y⟨w,x⟩ < 1, Σ shrinks faster.                          Crammer & Lee 2010
//
// A round of importance p counts as p rounds.
#pragma once

#include "second_order.hpp"

namespace noregret {

inline double hinge_loss(double score, double y) { return std::max(0.0, 1.0 - y * score); }

struct Sop : SecondOrder {
  static constexpr const char *kName = "sop", *kFull = "sop-full";

  double ridge = 1.0;

  void each_parameter(auto&& visit) { visit("ridge", ridge); }
  double variance() const { return 1.0 / ridge; }
  double loss(double score, double y) const { return perceptron_loss(score, y); }
  bool moves(double y, double score) const { return predict(score) != y; }
  Step plan(double y, double score, double v, double weight) const { return {weight * (y - score) / (1.0 + weight * v), weight}; }
};

struct Arow : SecondOrder {
  static constexpr const char *kName = "arow", *kFull = "arow-full";

  double ridge = 1.0;

  void each_parameter(auto&& visit) { visit("ridge", ridge); }
  double loss(double score, double y) const { return hinge_loss(score, y); }
  bool moves(double y, double score) const { return y * score < 1.0; }
  Step plan(double y, double score, double v, double weight) const {
    return {weight * (y - score) / (ridge + weight * v), weight / ridge};
  }
};

struct Nherd : SecondOrder {
  static constexpr const char *kName = "nherd", *kFull = "nherd-full";

  double aggressiveness = 1.0;

  void each_parameter(auto&& visit) { visit("aggressiveness", aggressiveness); }
  double loss(double score, double y) const { return hinge_loss(score, y); }
  bool moves(double y, double score) const { return y * score < 1.0; }
  Step plan(double y, double score, double v, double weight) const {
    const double c = aggressiveness * weight;
    return {c * (y - score) / (1.0 + c * v), c * (2.0 + c * v)};
  }
};

}  // namespace noregret
