// Winnow, threshold form: x ∈ {0,1}ᴺ, predict +1 iff ⟨w,x⟩ > Θ. On a missed positive the weights
// of the features present × α, on a false positive ÷ α.                       Littlestone 1988
#pragma once

#include "rule.hpp"

namespace noregret {

struct Winnow {
  static constexpr const char* kName = "winnow";
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kBinary = true;

  double promotion = 2.0;
  double threshold = std::numeric_limits<double>::quiet_NaN();  // NaN: the array's width, when met
  double promotions = 0.0, demotions = 0.0;
  double lead = 0.0;       // the largest demotions − α·promotions at any moment
  double highest = 1.0;    // the largest weight at any moment
  double potential = 0.0;  // Σ(wᵢ − 1)

  void each_parameter(auto&& visit) {
    visit("promotion", promotion);
    visit("threshold", threshold);
  }
  void each_scalar(auto&& visit) {
    visit("threshold", threshold);
    visit("promotions", promotions);
    visit("demotions", demotions);
    visit("lead", lead);
    visit("highest", highest);
    visit("potential", potential);
  }

  void settle(std::int64_t width) {
    if (!std::isnan(threshold)) return;
    if (width < 1) {
      throw Refusal("BadParameter",
                    "winnow needs threshold=… here: its default is the number of features, which dicts "
                    "and sparse text do not tell");
    }
    threshold = static_cast<double>(width);
  }

  double initial(std::size_t) const { return 1.0; }
  double shift() const { return -threshold; }
  double predict(double score) const { return strict_sign(score); }
  double loss(double score, double y) const { return predict(score) == y ? 0.0 : 1.0; }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    if (predict(score) == y) return false;
    const double factor = weight == 1.0 ? promotion : std::pow(promotion, weight);
    double* w = lanes[0];
    double present = 0.0;  // Σwᵢ where xᵢ = 1; score + Θ would be this but for rounding
    x.each([&](auto slot, double value) { present += w[slot] * value; });
    if (!std::isfinite(potential + present * factor)) {
      throw Refusal("BadInput", "learning from this row would overflow a weight; lower its importance");
    }
    x.each([&](auto slot, double value) {
      if (value == 0.0) return;
      const double before = w[slot];
      // A weight must stay positive, or it could never be promoted again.
      w[slot] = y > 0 ? before * factor : std::max(before / factor, std::numeric_limits<double>::min());
      highest = std::max(highest, w[slot]);
      potential += w[slot] - before;
    });
    (y > 0 ? promotions : demotions) += 1.0;
    lead = std::max(lead, demotions - promotion * promotions);
    return true;
  }
};

}  // namespace noregret
