// Kernel Perceptron: the Perceptron over features that only their inner products K(x, z) are known of. On a mistake x is
// kept, with the coefficient y; beyond the budget the oldest goes.
//                              Aizerman, Braverman & Rozonoer 1964; with a budget Dekel, Shalev-Shwartz & Singer 2008
#pragma once

#include "rule.hpp"

namespace noregret {

struct KernelPerceptron {
  static constexpr const char* kName = "kernel-perceptron";
  static constexpr std::array kLanes{"weight"};  // not used: the function is in lanes.supports
  static constexpr bool kDistinct = true;
  static constexpr bool kSupports = true;

  double kernel = 0.0;  // 0 linear, 1 polynomial, 2 gaussian
  double gamma = 1.0, degree = 2.0, offset = 1.0;
  double budget = 0.0;  // 0: none
  double supports = 0.0;
  double potential = 0.0;  // ‖w‖² over the features of the kernel

  void each_parameter(auto&& visit) {
    visit("kernel", kernel);
    visit("gamma", gamma);
    visit("degree", degree);
    visit("offset", offset);
    visit("budget", budget);
  }
  void each_scalar(auto&& visit) {
    visit("supports", supports);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  // K(x, z) by ⟨x, z⟩, ‖x‖² and ‖z‖².
  double between(double product, double x, double z) const {
    if (kernel == 0.0) return product;
    if (kernel == 2.0) return std::exp(-gamma * larger(x + z - 2.0 * product, 0.0));
    double power = 1.0;
    for (double k = 0.0; k < degree; k += 1.0) power *= product + offset;
    return power;
  }

  // NaN when the values are not finite or ‖x‖² is not.
  double score_by(const Lanes& lanes, const auto& x) const {
    const double square = lanes.spread.lay(x, lanes.size());
    double sum = 0.0;
    for (std::size_t k = 0; k < lanes.supports.size(); ++k) {
      const double product = lanes.spread.times(lanes.supports.row(k));
      sum += lanes.supports.coefficient(k) * between(product, square, lanes.supports.square(k));
    }
    return std::isfinite(square) ? sum : std::numeric_limits<double>::quiet_NaN();
  }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    if (predict(score) == y) return false;
    const double step = y * weight, square = lanes.spread.lay(x, lanes.size());
    const bool full = budget > 0.0 && static_cast<double>(lanes.supports.size()) >= budget;
    double change = 2.0 * step * score + step * step * between(square, square, square);
    if (full) change += without_oldest(lanes, step, square);
    if (!std::isfinite(potential + change)) {
      refuse_step();
    }
    potential += change;
    lanes.supports.add(step, x, square);
    if (full) lanes.supports.drop_oldest();
    supports = static_cast<double>(lanes.supports.size());
    return true;
  }

 private:
  // What ‖w‖² changes by when the oldest goes, after a step along the row that is laid out.
  double without_oldest(const Lanes& lanes, double step, double square) const {
    const auto oldest = lanes.supports.row(0);
    const double coefficient = lanes.supports.coefficient(0), length = lanes.supports.square(0);
    const double near = between(lanes.spread.times(oldest), square, length);
    const double score = score_by(lanes, oldest) + step * near;
    return coefficient * coefficient * between(length, length, length) - 2.0 * coefficient * score;
  }
};

}  // namespace noregret
