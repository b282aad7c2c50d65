// Weighted Majority and its randomised form.                     Littlestone & Warmuth 1994
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

// The vote by weight; on the rule's own mistakes, experts that erred × β.
class WeightedMajority : public Cloned<WeightedMajority> {
 public:
  WeightedMajority(std::size_t n, const Numbers& given) : Cloned(n), penalties_(total.size(), 0.0) {
    beta_ = given.at("beta");
    rate_ = beta_ > 0.0 ? std::log(beta_) : -1e6;  // β = 0: one mistake is enough
  }

  bool wants_advice() const override { return true; }
  void weigh(const double* row, double* w) const override { exponential_weights(penalties_, row, rate_, w); }
  // Powers of β as they are: weights that add up to 1 have been rounded, and rounding must not break a tie.
  double predict(const double* said, const double*, const Loss&) const override {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) least = awake(said, i) ? std::min(least, penalties_[i]) : least;
    std::vector<double> powers(n);
    for (std::size_t i = 0; i < n; ++i) powers[i] = std::pow(beta_, penalties_[i] - least);
    return vote(said, powers.data());
  }

  double own(const double*, const double*) const override { return now_->prediction == now_->truth ? 0.0 : 1.0; }

  void learn(const double* row, double mistake) override {
    charge(row, mistake);
    if (mistake == 0.0) return;
    for (std::size_t i = 0; i < n; ++i) {
      if (awake(row, i)) penalties_[i] += row[i];
    }
  }

  std::vector<Lane> lanes() override { return {{"loss", &total, loss}, {"penalties", &penalties_, 0.0}}; }

 private:
  double beta_, rate_;             // β and ln β
  std::vector<double> penalties_;  // how often its weight was cut
};

// Follows expert k with probability p_k; in every round, w × β^ℓ.
class RandomizedMajority : public Cloned<RandomizedMajority> {
 public:
  RandomizedMajority(std::size_t n, const Numbers& given)
      : Cloned(n), rate_(std::log(given.at("beta"))), seed_(static_cast<std::uint64_t>(given.at("seed"))) {}

  void weigh(const double* row, double* w) const override { exponential_weights(total, row, rate_, w); }

  double predict(const double* said, const double* w, const Loss&) const override {
    const double coin = toss(static_cast<std::uint64_t>(rounds));
    double reached = 0.0, last = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!awake(said, i) || w[i] == 0.0) continue;
      reached += w[i];
      last = said[i];
      if (coin < reached) break;
    }
    return last;
  }

  void learn(const double* row, double own) override { charge(row, own); }

 private:
  // A number in [0, 1) that depends on the seed and the round only: asking again changes nothing.
  double toss(std::uint64_t round) const {
    std::uint64_t z = (seed_ * 0x9e3779b97f4a7c15u) ^ ((round + 1) * 0xbf58476d1ce4e5b9u);
    for (int k = 0; k < 2; ++k) {
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      z ^= z >> 31;
    }
    return static_cast<double>(z >> 11) * 0x1p-53;
  }

  double rate_;  // ln β
  std::uint64_t seed_;
};

}  // namespace noregret::experts
