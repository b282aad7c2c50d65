// Confidence-weighted learning: w is the mean of a normal distribution, and a round is to be right with a chance of η:
// y⟨w,x⟩ ≥ φ√v, φ = Φ⁻¹(η). The smallest change that makes it so:
//
//   CW      exactly so                                   Crammer, Dredze & Pereira 2008, exact convex form
//   SCW-I   with a step of at most C                     Wang, Zhao & Hoi 2012
//   SCW-II  with a price of C on the square of what is missing
//
// Importance multiplies C; CW, which has none, asks no more of a round than of another.
#pragma once

#include "second_order.hpp"

namespace noregret {

struct Confidence : SecondOrder {
  static constexpr bool kDoubles = true;

  double phi = 0.0;

  double loss(double score, double y) const { return predict(score) == y ? 0.0 : 1.0; }
  bool moves(double, double) const { return true; }  // v decides

  bool sure(double margin, double v) const { return v == 0.0 || phi * std::sqrt(v) - margin <= 0.0; }

  // The step that makes the margin φ√v.
  double exact(double margin, double v) const {
    const double square = phi * phi, xi = 1.0 + square;
    const double inside = margin * margin * square * square / 4.0 + v * square * xi;
    return larger((std::sqrt(inside) - margin * (1.0 + square / 2.0)) / (v * xi), 0.0);
  }

  // How much Σ⁻¹ grows with a step: α·φ over the deviation of ⟨w,x⟩ afterwards.
  Step both(double y, double alpha, double v) const {
    const double reach = alpha * v * phi;
    return {alpha * y, alpha * phi * (reach + std::sqrt(reach * reach + 4.0 * v)) / (2.0 * v)};
  }
};

struct Cw : Confidence {
  static constexpr const char *kName = "cw", *kFull = "cw-full";

  void each_parameter(auto&& visit) { visit("phi", phi); }
  Step plan(double y, double score, double v, double) const {
    if (sure(y * score, v)) return {};
    return both(y, exact(y * score, v), v);
  }
};

struct Scw1 : Confidence {
  static constexpr const char *kName = "scw1", *kFull = "scw1-full";

  double price = 1.0;

  void each_parameter(auto&& visit) {
    visit("phi", phi);
    visit("C", price);
  }
  Step plan(double y, double score, double v, double weight) const {
    if (sure(y * score, v)) return {};
    return both(y, smaller(exact(y * score, v), price * weight), v);
  }
};

struct Scw2 : Confidence {
  static constexpr const char *kName = "scw2", *kFull = "scw2-full";

  double price = 1.0;

  void each_parameter(auto&& visit) {
    visit("phi", phi);
    visit("C", price);
  }
  Step plan(double y, double score, double v, double weight) const {
    const double margin = y * score, square = phi * phi;
    if (sure(margin, v)) return {};
    // The root of the quadratic in the paper, its terms divided by n so that no small number is squared.
    const double n = v + 1.0 / (2.0 * price * weight), q = v / n, grown = 1.0 + q * square;
    const double top = phi * std::sqrt(square * margin * margin * q * q + 4.0 * v * grown) - margin * (1.0 + grown);
    return both(y, larger(top / (2.0 * n * grown), 0.0), v);
  }
};

}  // namespace noregret
