// ALMA₂: approximates the largest margin. When y·⟨w, x⟩ ≤ (1 − α)·B/√k, the k-th correction is
// w ← w + C/√k·y·x, and back to the unit ball if it has left it.              Gentile 2001
//
// The way back multiplies every weight, so it is put off: w = scale·v.
#pragma once

#include "learning.hpp"
#include "losses.hpp"

namespace noregret {

struct Alma {
  static constexpr const char* kName = "alma";
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kDistinct = true;
  static constexpr double kSmallest = 0x1p-100;  // below this the scale is worked into the weights

  double alpha = 0.9, B = 1.0, C = 1.0;
  double normalize = 1.0;  // rows are divided by their length
  double corrections = 0.0;
  double scale = 1.0;
  double square = 0.0;     // ‖v‖²
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) {
    visit("alpha", alpha);
    visit("B", B);
    visit("C", C);
    visit("normalize", normalize);
  }
  void each_scalar(auto&& visit) {
    visit("corrections", corrections);
    visit("scale", scale);
    visit("square", square);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double factor() const { return scale; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    const double length = normalize != 0.0 ? std::sqrt(square_length(x)) : 1.0;
    if (length == 0.0) return false;
    const double k = std::sqrt(corrections + 1.0);
    if (y * score / length > (1.0 - alpha) * B / k) return false;
    square += apply_step<Alma>(lanes, x, Step{C / k * weight * y / length / scale}, square);
    corrections += 1.0;
    if (scale * std::sqrt(square) > 1.0) scale = 1.0 / std::sqrt(square);
    if (scale < kSmallest) renew(lanes);
    potential = scale * scale * square;
    return true;
  }

  static void apply(auto& at, auto value, const auto& step) { at[0] += step[0] * value; }

 private:
  void renew(Lanes& lanes) {
    const auto slots = static_cast<std::ptrdiff_t>(lanes.size());
    for (std::ptrdiff_t slot = kBias; slot < slots; ++slot) lanes[0][slot] *= scale;
    square *= scale * scale;
    scale = 1.0;
  }
};

}  // namespace noregret
