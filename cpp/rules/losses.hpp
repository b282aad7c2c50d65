// The losses of the gradient frame, by the number that Python gives for their word. m = y·score.
#pragma once

#include "rule.hpp"

namespace noregret {

enum class LossKind { perceptron, hinge, squared_hinge, logistic, squared };

inline double loss_of(double number, double score, double y) {
  const double m = y * score;
  switch (static_cast<LossKind>(static_cast<int>(number))) {
    case LossKind::perceptron: return std::max(0.0, -m);
    case LossKind::hinge: return std::max(0.0, 1.0 - m);
    case LossKind::squared_hinge: return 0.5 * std::max(0.0, 1.0 - m) * std::max(0.0, 1.0 - m);
    case LossKind::logistic: return m > 0.0 ? std::log1p(std::exp(-m)) : std::log1p(std::exp(m)) - m;
    case LossKind::squared: return 0.5 * (1.0 - m) * (1.0 - m);
  }
  return 0.0;
}

// −dℓ/dm: how strongly the round pulls the score towards its label. The perceptron loss has a corner
// at 0, where it pulls when the prediction is wrong.
inline double slope_of(double number, double score, double y) {
  const double m = y * score;
  switch (static_cast<LossKind>(static_cast<int>(number))) {
    case LossKind::perceptron: return sign(score) != y ? 1.0 : 0.0;
    case LossKind::hinge: return m < 1.0 ? 1.0 : 0.0;
    case LossKind::squared_hinge: return std::max(0.0, 1.0 - m);
    case LossKind::logistic: return 1.0 / (1.0 + std::exp(m));
    case LossKind::squared: return 1.0 - m;
  }
  return 0.0;
}

// Whether the slope is other than 0. The logistic one is, until e^m leaves the doubles: there is no need of it to know that.
inline bool pulls(double number, double score, double y) {
  constexpr double kLargestExponent = 0x1.62e42fefa39efp+9;
  if (static_cast<LossKind>(static_cast<int>(number)) == LossKind::logistic) return y * score <= kLargestExponent;
  return slope_of(number, score, y) != 0.0;
}

enum class StepKind { constant, root, inverse };

// η, η/√t or η/t, where t counts the labelled rounds.
inline double pace_of(double number, double rate, double rounds) {
  switch (static_cast<StepKind>(static_cast<int>(number))) {
    case StepKind::constant: return rate;
    case StepKind::root: return rate / std::sqrt(rounds);
    case StepKind::inverse: return rate / rounds;
  }
  return rate;
}

// Moves a number towards 0, and stops there.
inline auto shrunk(auto number, auto by) { return larger(number - by, 0.0) + smaller(number + by, 0.0); }

// A row with a smaller ‖x‖² counts as all 0 where it would be divided by: 1/‖x‖² must stay inside the doubles.
inline constexpr double kTiny = 1e-200;

inline double square_length(const auto& x) {
  double sum = 0.0;
  x.each([&](auto, double value) { sum += value * value; });
  return sum;
}

}  // namespace noregret
