// Online Newton step on the squared hinge max(0, 1 − y·z)², z = ⟨w,x⟩ kept within ±C:
// A ← A + σ·ggᵀ, w ← w − A⁻¹g, after w was moved to where |⟨w,x⟩| ≤ C at the least cost in A.
//                Hazan, Agarwal & Kale 2007; the projection is that of Luo, Agarwal, Cesa-Bianchi & Langford 2016
#pragma once

#include "second_order.hpp"

namespace noregret {

struct Newton : SecondOrder {
  static constexpr const char *kName = "ons", *kFull = "ons-full";

  double ridge = 1.0, limit = 1.0;

  void each_parameter(auto&& visit) {
    visit("ridge", ridge);
    visit("limit", limit);
  }
  double variance() const { return 1.0 / ridge; }

  double kept(double score) const { return smaller(larger(score, -limit), limit); }
  double loss(double score, double y) const {
    const double missing = std::max(0.0, 1.0 - y * kept(score));
    return missing * missing;
  }
  bool moves(double y, double score) const { return y * kept(score) < 1.0; }

  // f(u) ≥ f(w) + g(u − w) + ½σ(g(u − w))² for all scores within ±C.
  double curvature() const { return 1.0 / (2.0 * (1.0 + limit) * larger(1.0 + limit, 2.0 * limit)); }

  // Importance p multiplies the loss, and so divides its σ.
  Step plan(double y, double score, double v, double weight) const {
    const double z = kept(score), slope = -2.0 * y * (1.0 - y * z);
    const double growth = curvature() * weight * slope * slope;
    const double back = score == z || v == 0.0 ? 0.0 : (score - z) / v;
    return {-back - weight * slope / (1.0 + growth * v), growth};
  }
};

}  // namespace noregret
