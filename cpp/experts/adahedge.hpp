// AdaHedge: exponential weights with η = ln N/Δ, Δ the mixability gaps so far; with Δ = 0, the leaders.
//                                                     de Rooij, van Erven, Grünwald, Koolen 2014
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

class AdaHedge : public Cloned<AdaHedge> {
 public:
  AdaHedge(std::size_t n, const Numbers&) : Cloned(n), all_(total.size()) {}

  void weigh(const double* row, double* w) const override {
    if (finite_rate()) return exponential_weights(total, row, -rate(), w);
    double least = std::numeric_limits<double>::infinity(), count = 0.0;
    for (std::size_t i = 0; i < n; ++i) least = awake(row, i) ? std::min(least, total[i]) : least;
    for (std::size_t i = 0; i < n; ++i) count += awake(row, i) && total[i] == least;
    for (std::size_t i = 0; i < n; ++i) w[i] = awake(row, i) && total[i] == least ? 1.0 / count : 0.0;
  }

  void learn(const double* row, double own) override {
    weigh(nullptr, all_.data());
    for (std::size_t i = 0; i < n; ++i) {
      const double off = awake(row, i) ? row[i] - own : 0.0;
      variance_ += all_[i] * off * off;
    }
    const double eta = rate(), before = potential(eta);
    const bool finite = finite_rate();
    charge(row, own);
    const double mix = finite ? potential(eta) - before : least() - before_least_;
    before_least_ = least();
    gap_ += std::max(0.0, own - mix);
  }

  std::vector<Scalar> scalars() override {
    auto all = Rule::scalars();
    for (Scalar s : {Scalar{"gap", &gap_}, {"variance", &variance_}, {"least", &before_least_}}) all.push_back(s);
    return all;
  }
  void grow(std::size_t count) override {
    Cloned::grow(count);
    all_.resize(total.size());
    before_least_ = least();
  }

 private:
  double rate() const { return log_n() / gap_; }
  bool finite_rate() const { return gap_ > 0.0 && rate() < 1e300; }
  double least() const { return *std::min_element(total.begin(), total.begin() + static_cast<std::ptrdiff_t>(n)); }
  // −(1/η)·ln Σ exp(−η·L); its growth in a round is the mix loss.
  double potential(double eta) {
    if (!finite_rate()) return 0.0;
    const double center = least();
    return center - std::log(kernels().exponentials(total.data(), nullptr, all_.data(), n, -eta, center)) / eta;
  }

  double gap_ = 0.0, variance_ = 0.0, before_least_ = 0.0;
  std::vector<double> all_;
};

}  // namespace noregret::experts
