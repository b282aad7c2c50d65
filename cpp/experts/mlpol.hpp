// Polynomial weights with a rate for each expert: p ∝ η·max(R, 0), η = 1/(B + Σr²), B the largest r² so far; where no regret
// is above 0, all alike.                                            Gaillard, Stoltz & van Erven 2014
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

class MLPol : public Cloned<MLPol> {
 public:
  MLPol(std::size_t n, const Numbers&) : Cloned(n), regret_(total.size(), 0.0), square_(total.size(), 0.0) {}

  void weigh(const double* row, double* w) const override {
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double above = awake(row, i) ? positive(i) : 0.0;
      w[i] = above > 0.0 ? above / (bound_ + square_[i]) : 0.0;
      sum += w[i];
      count += awake(row, i);
    }
    for (std::size_t i = 0; i < n; ++i) w[i] = sum > 0.0 ? w[i] / sum : awake(row, i) ? 1.0 / count : 0.0;
  }

  void learn(const double* row, double own) override {
    charge(row, own);
    const double bound = bound_;
    for (std::size_t i = 0; i < n; ++i) {
      if (awake(row, i)) bound_ = std::max(bound_, (own - row[i]) * (own - row[i]));
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double r = awake(row, i) ? own - row[i] : 0.0, before = positive(i, bound);
      const double rate = before > 0.0 ? 1.0 / (bound + square_[i]) : 0.0;
      const double allowed = rate * before * before + 2.0 * rate * before * r;
      regret_[i] += r;
      square_[i] += r * r;
      const double after = positive(i);
      excess_ += std::max(0.0, (after > 0.0 ? after * after / (bound_ + square_[i]) : 0.0) - allowed);
    }
  }

  std::vector<Lane> lanes() override { return {{"loss", &total, loss}, {"regret", &regret_, 0.0}, {"square", &square_, 0.0}}; }
  std::vector<Scalar> scalars() override {
    auto all = Rule::scalars();
    for (Scalar s : {Scalar{"bound", &bound_}, {"excess", &excess_}}) all.push_back(s);
    return all;
  }

 private:
  static constexpr double kNothing = 1e-200;  // regrets whose squares are smaller are the dust of rounding

  double positive(std::size_t i) const { return positive(i, bound_); }
  double positive(std::size_t i, double bound) const { return bound + square_[i] > kNothing ? std::max(regret_[i], 0.0) : 0.0; }

  std::vector<double> regret_, square_;
  double bound_ = 0.0;   // the largest r² so far
  double excess_ = 0.0;  // by how much, in all, the potential Σ η·R₊² grew beyond what p·r = 0 balances
};

}  // namespace noregret::experts
