// What a prediction costs once the truth is known, and how fast that grows with the prediction.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "../refusal.hpp"

namespace noregret::experts {

enum class LossKind { square, absolute, percentage, log, pinball, zero_one };

struct Loss {
  LossKind kind = LossKind::square;
  double quantile = 0.5;  // of pinball

  static constexpr double kSurest = 1e-15;  // log: a probability nearer to 0 or 1 counts as this near

  double value(double said, double truth) const {
    const double error = said - truth;
    switch (kind) {
      case LossKind::square: return error * error;
      case LossKind::absolute: return std::abs(error);
      case LossKind::percentage: return std::abs(error) / std::abs(truth);
      case LossKind::log: return -(truth * std::log(sure(said)) + (1.0 - truth) * std::log(1.0 - sure(said)));
      case LossKind::pinball: return error >= 0.0 ? (1.0 - quantile) * error : -quantile * error;
      case LossKind::zero_one: return said == truth ? 0.0 : 1.0;
    }
    return 0.0;
  }

  // The derivative by the prediction, one of them where there are two.
  double slope(double said, double truth) const {
    const double error = said - truth;
    const double sign = static_cast<double>(error > 0.0) - static_cast<double>(error < 0.0);
    switch (kind) {
      case LossKind::square: return 2.0 * error;
      case LossKind::absolute: return sign;
      case LossKind::percentage: return sign / std::abs(truth);
      case LossKind::log: return (1.0 - truth) / (1.0 - sure(said)) - truth / sure(said);
      case LossKind::pinball: return error == 0.0 ? 0.0 : error > 0.0 ? 1.0 - quantile : -quantile;
      case LossKind::zero_one: return 0.0;
    }
    return 0.0;
  }

  // Throws when the loss is not defined for this truth or this advice (NaN advice sleeps).
  void require_truth(double truth) const {
    if (!std::isfinite(truth)) throw Refusal("BadInput", "the truth is missing or not finite; a round is learned when its truth is known");
    if (kind == LossKind::percentage && truth == 0.0) throw Refusal("BadInput", "the truth is 0, and a percentage of 0 is not defined; use the loss 'absolute'");
    if (kind == LossKind::log && truth != 0.0 && truth != 1.0) throw Refusal("BadInput", "the truth is " + std::to_string(truth) + "; the loss 'log' takes 0 and 1");
  }
  void require_advice(double advice) const {
    if (std::isinf(advice)) throw Refusal("BadInput", "an expert says something infinite; advice is a finite number, or NaN for an expert that sleeps");
    if (kind == LossKind::log && (advice < 0.0 || advice > 1.0)) throw Refusal("BadInput", "an expert says " + std::to_string(advice) + "; with the loss 'log' advice is a probability, from 0 to 1");
  }

 private:
  static double sure(double p) { return std::clamp(p, kSurest, 1.0 - kSurest); }
};

inline Loss make_loss(const std::string& name, double quantile) {
  if (name == "square") return {LossKind::square, quantile};
  if (name == "absolute") return {LossKind::absolute, quantile};
  if (name == "percentage") return {LossKind::percentage, quantile};
  if (name == "log") return {LossKind::log, quantile};
  if (name == "pinball") return {LossKind::pinball, quantile};
  if (name == "zero-one") return {LossKind::zero_one, quantile};
  throw Refusal("BadParameter", "there is no loss called '" + name + "'; write square, absolute, percentage, log, pinball or zero-one");
}

}  // namespace noregret::experts
