// Exponential weights: p ∝ exp(−η·L), L the total losses. The rate η is fixed, or falls as 2√(ln N/t), or is that of
// a known horizon started anew after 1, 2, 4, … rounds, or follows the spreads seen.
//                                            Littlestone & Warmuth 1994, Freund & Schapire 1997
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

enum class Schedule { fixed = 0, anytime = 1, doubling = 2, spreads = 3 };

class Hedge : public Cloned<Hedge> {
 public:
  Hedge(std::size_t n, const Numbers& given)
      : Cloned(n), rate_(given.at("rate")), schedule_(static_cast<Schedule>(static_cast<int>(given.at("schedule")))),
        next_(total), before_(total.size(), 0.0) {}

  double rate() const {
    switch (schedule_) {
      case Schedule::fixed: return rate_;
      case Schedule::anytime: return 2.0 * std::sqrt(log_n() / (rounds + 1.0));
      case Schedule::doubling: return std::sqrt(8.0 * log_n() / epoch_);
      case Schedule::spreads: return squares > kTiny ? 2.0 * std::sqrt(log_n() / squares) : 0.0;  // all totals are as good as equal
    }
    return rate_;
  }

  void weigh(const double* row, double* w) const override { exponential_weights(total, row, -rate(), w); }

  bool quick(const double* row, Seen& seen, double& own) override {
    // The least total has moved by no less than the least loss, and no more than the greatest. Where between is
    // looked up only when it could matter.
    if (rate() * unsure_ > kUnsure) find_center();
    const Mixed m = kernels().mix(row, total.data(), next_.data(), n, rate(), center_, false);
    if (!std::isfinite(m.loss) || m.low < -kLargest || m.high > kLargest) return false;
    seen = {m.low, m.high, 0};
    own = m.loss / m.weight;
    total.swap(next_);
    center_ += m.low;
    unsure_ += m.high - m.low;
    close(m.high - m.low, own);
    return true;
  }

  double round(const double* row, const Seen& seen) override {
    double center = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) center = awake(row, i) ? std::min(center, total[i]) : center;
    const Mixed m = kernels().mix(row, total.data(), next_.data(), n, rate(), center, true);
    const double own = m.loss / m.weight;
    finish(row, seen, own);
    return own;
  }

  void learn(const double* row, double own) override {
    charge(row, own);
    find_center();
  }

  void finish(const double* row, const Seen& seen, double own) override {
    learn(row, own);
    close(seen.high - seen.low, own);
  }

  std::vector<Lane> lanes() override { return {{"loss", &total, loss - earlier_}, {"before", &before_, earlier_}}; }
  std::vector<Scalar> scalars() override {
    auto all = Rule::scalars();
    for (Scalar s : {Scalar{"center", &center_}, {"unsure", &unsure_}, {"epoch", &epoch_}, {"played", &played_}, {"earlier", &earlier_}, {"price", &price_}}) all.push_back(s);
    return all;
  }
  void grow(std::size_t count) override {
    Cloned::grow(count);
    next_ = total;
    find_center();
  }

 private:
  static constexpr double kTiny = 1e-300;   // so that 1/Σs² stays inside the doubles
  static constexpr double kUnsure = 300.0;  // weights may all be as small as exp(−300): far from vanishing

  void find_center() {
    center_ = *std::min_element(total.begin(), total.begin() + static_cast<std::ptrdiff_t>(n));
    unsure_ = 0.0;
  }

  void close(double spread, double own) {
    const double eta = rate();
    price_ += eta > 0.0 ? std::min(spread, eta * spread * spread / 8.0) : spread;
    if (schedule_ != Schedule::doubling || ++played_ < epoch_) return;
    for (std::size_t i = 0; i < n; ++i) {
      before_[i] += total[i];
      total[i] = 0.0;
    }
    earlier_ = loss + own;
    center_ = unsure_ = 0.0;
    played_ = 0.0;
    epoch_ *= 2.0;
  }

  double rate_;
  Schedule schedule_;
  std::vector<double> next_, before_;  // before: the losses of earlier epochs
  double center_ = 0.0, unsure_ = 0.0;  // the least total is at least the center, and less than this above it
  double epoch_ = 1.0, played_ = 0.0;  // doubling: its length, and how much of it is over
  double earlier_ = 0.0;               // doubling: the rule's own loss in earlier epochs
  double price_ = 0.0;                 // Σ min(s, η·s²/8), s the spread: what Hoeffding's lemma allows
};

}  // namespace noregret::experts
