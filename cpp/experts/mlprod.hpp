// Adapt-ML-Prod: w_i ← (w_i·(1 + η_i·r_i))^(η_i'/η_i), p ∝ η·w, with a rate η_i = min(½, √(ln N/(1 + Σr_i²))) for each expert.
//                                                                 Gaillard, Stoltz & van Erven 2014
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

class MLProd : public Cloned<MLProd> {
 public:
  MLProd(std::size_t n, const Numbers&) : Cloned(n), log_weight_(total.size(), -log_n()), square_(total.size(), 0.0) {}

  void weigh(const double* row, double* w) const override {
    std::vector<double> exponent(total.size());
    for (std::size_t i = 0; i < n; ++i) exponent[i] = std::log(rate(i)) + log_weight_[i];
    exponential_weights(exponent, row, 1.0, w);
  }

  void learn(const double* row, double own) override {
    charge(row, own);
    for (std::size_t i = 0; i < n; ++i) {
      if (!awake(row, i)) continue;
      const double r = own - row[i], before = rate(i);
      square_[i] += r * r;
      // Losses beyond [0, 1] can ask for the logarithm of a negative number; they get a small one.
      log_weight_[i] = (log_weight_[i] + std::log1p(std::max(before * r, -1.0 + 1e-12))) * (rate(i) / before);
    }
  }

  std::vector<Lane> lanes() override {
    return {{"loss", &total, loss}, {"log_weight", &log_weight_, -log_n()}, {"square", &square_, 0.0}};
  }

 private:
  double rate(std::size_t i) const { return std::min(0.5, std::sqrt(std::log(std::max<double>(static_cast<double>(n), 2.0)) / (1.0 + square_[i]))); }

  std::vector<double> log_weight_, square_;
};

}  // namespace noregret::experts
