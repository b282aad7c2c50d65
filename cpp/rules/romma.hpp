// ROMMA: on a mistake (the aggressive form: when y·⟨w, x⟩ < 1) w becomes the shortest u with
// ⟨u, w⟩ ≥ ‖w‖² and y·⟨u, x⟩ ≥ 1, which is c·w + d·x.                  Li & Long 2002
//
// c multiplies every weight, so it is put off: w = scale·v. Importance changes nothing: the two
// conditions are what they are.
#pragma once

#include "learning.hpp"
#include "losses.hpp"

namespace noregret {

struct Romma {
  static constexpr const char* kName = "romma";
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kDistinct = true;
  static constexpr double kSmallest = 0x1p-100, kLargest = 0x1p100;  // beyond, the scale is worked into the weights
  static constexpr double kBeyond = 1e300;  // ‖w‖² stays well inside the doubles

  double aggressive = 0.0;
  double scale = 1.0;
  double square = 0.0;     // ‖v‖²
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) { visit("aggressive", aggressive); }
  void each_scalar(auto&& visit) {
    visit("scale", scale);
    visit("square", square);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double factor() const { return scale; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return std::max(0.0, 1.0 - y * score); }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double) {
    if (predict(score) == y && !(aggressive != 0.0 && y * score < 1.0)) return false;
    const double length = square_length(x), both = length * potential;
    if (length < kTiny) return false;
    if (y * score >= both) return start(lanes, x, y, length);
    const double rest = both - score * score;
    if (!(rest > 0.0)) return false;  // x points along w: no u would do
    const double keep = (both - y * score) / rest, step = potential * (y - score) / rest;
    const double reach = keep * keep * potential + 2.0 * keep * step * score + step * step * length;  // ‖w‖² to be
    if (!(std::abs(reach) < kBeyond)) {
      refuse_step();
    }
    return turn(lanes, x, keep, step);
  }

  static void apply(auto& at, auto value, const auto& step) { at[0] += step[0] * value; }

 private:
  // The condition on w does not bind: w = y·x/‖x‖².
  bool start(Lanes& lanes, const auto& x, double y, double length) {
    each_weight(lanes, [](double) { return 0.0; });
    scale = 1.0;
    square = apply_step<Romma>(lanes, x, Step{y / length}, 0.0);
    potential = square;
    return true;
  }

  bool turn(Lanes& lanes, const auto& x, double keep, double step) {
    const double next = scale * keep;
    square += apply_step<Romma>(lanes, x, Step{step / next}, square);
    scale = next;
    if (scale < kSmallest || scale > kLargest) {
      each_weight(lanes, [this](double weight) { return weight * scale; });
      square *= scale * scale;
      scale = 1.0;
    }
    potential = scale * scale * square;
    return true;
  }

  static void each_weight(Lanes& lanes, auto&& change) {
    const auto slots = static_cast<std::ptrdiff_t>(lanes.size());
    for (std::ptrdiff_t slot = kBias; slot < slots; ++slot) lanes[0][slot] = change(lanes[0][slot]);
  }
};

}  // namespace noregret
