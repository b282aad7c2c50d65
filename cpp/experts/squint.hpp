// Squint with the rates ½, ¼, …, 2⁻²⁰ of prior 1/(k(k+1)): p_i ∝ Σ_k γ_k·η_k·exp(η_k·R_i − η_k²·V_i), with the
// regrets R and the sums V of their squares.                              Koolen & van Erven 2015
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

class Squint : public Cloned<Squint> {
 public:
  static constexpr int kRates = 20;
  Squint(std::size_t n, const Numbers&) : Cloned(n), regret_(total.size(), 0.0), square_(total.size(), 0.0) {}

  void weigh(const double* row, double* w) const override {
    double top = -std::numeric_limits<double>::infinity(), sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!awake(row, i)) continue;
      for (int k = 1; k <= kRates; ++k) top = std::max(top, exponent(i, k));
    }
    for (std::size_t i = 0; i < n; ++i) {
      w[i] = 0.0;
      if (!awake(row, i)) continue;
      for (int k = 1; k <= kRates; ++k) w[i] += std::exp(exponent(i, k) - top);
      sum += w[i];
    }
    for (std::size_t i = 0; i < n; ++i) w[i] /= sum;
  }

  void learn(const double* row, double own) override {
    charge(row, own);
    for (std::size_t i = 0; i < n; ++i) {
      const double r = awake(row, i) ? own - row[i] : 0.0;
      regret_[i] += r;
      square_[i] += r * r;
    }
  }

  std::vector<Lane> lanes() override { return {{"loss", &total, loss}, {"regret", &regret_, 0.0}, {"square", &square_, 0.0}}; }

 private:
  double exponent(std::size_t i, int k) const {
    const double eta = std::ldexp(1.0, -k);
    return std::log(eta / (k * (k + 1.0))) + eta * regret_[i] - eta * eta * square_[i];
  }

  std::vector<double> regret_, square_;
};

}  // namespace noregret::experts
