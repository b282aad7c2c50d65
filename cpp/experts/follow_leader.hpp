// Follow the leader: all weight on the first of the experts with the least loss. The cautionary one.
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

class FollowTheLeader : public Cloned<FollowTheLeader> {
 public:
  FollowTheLeader(std::size_t n, const Numbers&) : Cloned(n) {}

  void weigh(const double* row, double* w) const override {
    std::fill(w, w + n, 0.0);
    w[leader(row)] = 1.0;
  }

  void learn(const double* row, double own) override {
    const std::size_t before = leader(nullptr);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < n; ++i) {
      if (!awake(row, i)) continue;
      low = std::min(low, row[i]);
      high = std::max(high, row[i]);
    }
    charge(row, own);
    if (leader(nullptr) != before) overtaken_ += high - low;
  }

  std::vector<Scalar> scalars() override {
    auto all = Rule::scalars();
    all.push_back({"overtaken", &overtaken_});
    return all;
  }

 private:
  std::size_t leader(const double* row) const {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (awake(row, i) && (best == n || total[i] < total[best])) best = i;
    }
    return best;
  }

  double overtaken_ = 0.0;  // Σ of the spreads of the rounds after which somebody else led
};

}  // namespace noregret::experts
