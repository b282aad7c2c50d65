// What the two exponential forms of Winnow share: lane 1 holds gᵢ = Σ η·y·xᵢ over the mistakes, and
// the weight is a function of gᵢ − c. The centre c moves up when weights grow large; predictions
// do not depend on it.
#pragma once

#include "rule.hpp"

namespace noregret {

template <class Form>
struct Exponential {
  static constexpr double kHighest = 300.0;  // e³⁰⁰: far below overflow, whatever it is multiplied by
  static constexpr double kLowest = -700.0;  // e⁻⁷⁰⁰: still a normal number, still positive

  static constexpr std::array kLanes{"weight", "exponent"};

  double rate = 0.1;
  double center = 0.0;
  double square = 0.0;     // ‖g‖²
  double gain = 0.0;       // Σ|wᵢ| over its start, ÷ eᶜ
  double potential = 0.0;  // Σ|wᵢ| over its start

  void each_parameter(auto&& visit) { visit("rate", rate); }
  void each_scalar(auto&& visit) {
    visit("center", center);
    visit("square", square);
    visit("gain", gain);
    visit("potential", potential);
  }

  double power(double exponent) const { return std::exp(std::max(exponent - center, kLowest)); }

  double initial(std::size_t lane) const { return lane == 0 ? Form::weight(*this, 0.0) : 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    if (predict(score) == y) return false;
    square += add(lanes, 1, rate * weight * y, x, square);
    double *w = lanes[0], *g = lanes[1];
    double highest = 0.0;
    x.each([&](auto slot, double) {
      gain -= std::abs(w[slot]);
      w[slot] = Form::weight(*this, g[slot]);
      gain += std::abs(w[slot]);
      highest = std::max(highest, Form::reach(g[slot]));
    });
    if (highest - center > kHighest) recenter(lanes, highest);
    potential = std::clamp(gain * std::exp(std::min(center, 600.0)), -1e300, 1e300);
    return true;
  }

 private:
  void recenter(Lanes& lanes, double highest) {
    center = highest;
    gain = 0.0;
    const auto slots = static_cast<std::ptrdiff_t>(lanes.size());
    for (std::ptrdiff_t slot = kBias; slot < slots; ++slot) {
      lanes[0][slot] = Form::weight(*this, lanes[1][slot]);
      gain += std::abs(lanes[0][slot]) - std::abs(initial(0));
    }
  }
};

}  // namespace noregret
