// Fixed-Share: exponential weights, of which everybody then gives the share α to the others. The weights can stay as
// they are, without logarithms: the share keeps each of them above α·(1/N) of the whole.     Herbster & Warmuth 1998
#pragma once

#include <algorithm>
#include <limits>

#include "rule.hpp"

namespace noregret::experts {

class FixedShare : public Cloned<FixedShare> {
 public:
  FixedShare(std::size_t n, const Numbers& given)
      : Cloned(n), rate_(given.at("rate")), share_(given.at("share")), weight_(total.size(), 1.0 / static_cast<double>(n)) {}

  void weigh(const double* row, double* w) const override {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += awake(row, i) ? weight_[i] : 0.0;
    for (std::size_t i = 0; i < n; ++i) w[i] = awake(row, i) ? weight_[i] / sum : 0.0;
  }

  void learn(const double* row, double own) override {
    charge(row, own);
    if (n == 1) return;
    double low = std::numeric_limits<double>::infinity(), sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) low = std::min(low, awake(row, i) ? row[i] : own);
    for (std::size_t i = 0; i < n; ++i) {
      weight_[i] *= std::exp(-rate_ * ((awake(row, i) ? row[i] : own) - low));
      sum += weight_[i];
    }
    const double others = static_cast<double>(n - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const double kept = weight_[i] / sum;
      weight_[i] = (1.0 - share_) * kept + share_ * (1.0 - kept) / others;
    }
  }

  std::vector<Lane> lanes() override { return {{"loss", &total, loss}, {"weight", &weight_, 1.0 / static_cast<double>(n)}}; }
  void grow(std::size_t count) override {
    const std::size_t old = n;
    Cloned::grow(count);
    for (std::size_t i = 0; i < n; ++i) weight_[i] *= static_cast<double>(old) / static_cast<double>(n);
  }

 private:
  double rate_, share_;
  std::vector<double> weight_;
};

}  // namespace noregret::experts
