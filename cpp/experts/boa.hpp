// Bernstein online aggregation, each expert with its own rate: B ← max(B, |r|), B₂ = 2^⌈log₂ B⌉, V += r², η = min(1/B₂, √(ln N/V)),
// R += ½(r − η·r² + B₂·1[η·r > ½]), p ∝ η·exp(η·R); η, V and B start at 2⁻²⁰.         Wintenberger 2017
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

class Boa : public Cloned<Boa> {
 public:
  Boa(std::size_t n, const Numbers&)
      : Cloned(n), rate_(total.size(), kStart), square_(total.size(), kStart), bound_(total.size(), kStart),
        regret_(total.size(), 0.0), correction_(total.size(), 0.0) {}

  void weigh(const double* row, double* w) const override {
    std::vector<double> exponent(total.size());
    for (std::size_t i = 0; i < n; ++i) exponent[i] = std::log(rate_[i]) + rate_[i] * regret_[i];
    exponential_weights(exponent, row, 1.0, w);
  }

  void learn(const double* row, double own) override {
    charge(row, own);
    for (std::size_t i = 0; i < n; ++i) {
      if (awake(row, i)) step(i, own - row[i]);
    }
  }

  std::vector<Lane> lanes() override {
    return {{"loss", &total, loss},         {"rate", &rate_, kStart},     {"square", &square_, kStart},
            {"bound", &bound_, kStart},     {"regret", &regret_, 0.0},    {"correction", &correction_, 0.0}};
  }
  std::vector<Scalar> scalars() override {
    auto all = Rule::scalars();
    all.push_back({"excess", &excess_});
    return all;
  }

 private:
  static constexpr double kStart = 0x1p-20;

  static double power_above(double b) {
    int exponent;
    return std::frexp(b, &exponent) == 0.5 ? b : std::ldexp(1.0, exponent);
  }

  void step(std::size_t i, double r) {
    const double allowed = potential(i) * (1.0 + 0.5 * rate_[i] * r);
    bound_[i] = std::max(bound_[i], std::abs(r));
    const double b2 = power_above(bound_[i]), log_count = std::log(std::max<double>(static_cast<double>(n), 2.0));
    square_[i] += r * r;
    rate_[i] = std::min(1.0 / b2, std::sqrt(log_count / square_[i]));
    const double change = rate_[i] * r * r - (rate_[i] * r > 0.5 ? b2 : 0.0);
    correction_[i] += change;
    regret_[i] += 0.5 * (r - change);
    excess_ += std::max(0.0, potential(i) - allowed);
  }

  double potential(std::size_t i) const { return std::exp(std::min(rate_[i] * regret_[i], 700.0)); }

  std::vector<double> rate_, square_, bound_, regret_, correction_;
  double excess_ = 0.0;  // by how much, in all, the potential Σ exp(η·R) grew beyond what p·r = 0 balances
};

}  // namespace noregret::experts
