// How the loop teaches a rule, whichever way the rule is written.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <vector>

#include "rule.hpp"

namespace noregret {

template <class Rule>
inline constexpr std::size_t kLaneCount = Rule::kLanes.size();

// The numbers of one feature.
template <class Rule>
using At = std::array<double, kLaneCount<Rule>>;

template <class Rule>
concept KeepsMatrix = requires { Rule::kMatrix; };

template <class Rule>
concept KeepsSupports = requires { Rule::kSupports; };

template <class Rule>
concept LaneWise = !KeepsMatrix<Rule> && requires(const Rule rule) { rule.moves(1.0, 1.0); };

template <class Rule>
concept Distinct = LaneWise<Rule> || requires { requires Rule::kDistinct; };

// Gives `work` the row with repeated features added up, each at its first place. Most rows have
// none, and are handed on as they are.
class Merger {
 public:
  bool operator()(const auto& x, auto&& work) {
    if (is_distinct(x) || is_rising(x) || !find_repeats(x)) return work(x);
    add_up(x);
    return work(SparseRow<double, std::uint32_t>{values_.data(), slots_.data(), slots_.size(), x.bias});
  }

 private:
  static constexpr std::size_t kMostStamps = std::size_t{1} << 24;

  static bool is_distinct(const auto& x) {
    if constexpr (requires { x.distinct; }) return x.distinct;
    return false;
  }

  // Without a way out of the middle, so that several slots are compared at once.
  template <class V, class I>
  static bool is_rising(const SparseRow<V, I>& x) {
    I falls = 0;
    for (std::size_t k = 1; k < x.size; ++k) falls |= static_cast<I>(x.slots[k] <= x.slots[k - 1]);
    return falls == 0;
  }
  template <class V>
  static bool is_rising(const DenseRow<V>&) {
    return true;
  }

  // By features, which rise from column to column more often than their slots do.
  static bool is_rising(const TableRow& x) {
    bool falls = false;
    for (std::size_t k = 1; k < x.size; ++k) falls |= x.feature(k) <= x.feature(k - 1);
    return !falls;
  }

  // Whether a feature is repeated; if so, first_ says where each one stands for the first time.
  bool find_repeats(const auto& x) {
    std::size_t bits = 0;  // of all slots: none is higher
    for (std::size_t k = 0; k < x.size; ++k) bits |= static_cast<std::size_t>(x.slot(k));
    return bits < kMostStamps ? find_by_stamps(x, bits) : find_by_order(x);
  }

  // Each slot has a stamp: `base_` and more when it was met in this row, and then where; less from
  // rows before. So nothing has to be wiped after a row.
  bool find_by_stamps(const auto& x, std::size_t bits) {
    if (bits >= stamps_.size()) stamps_.resize(std::bit_ceil(bits + 1), 0);
    if (x.size > std::numeric_limits<std::uint32_t>::max() - base_) {
      std::fill(stamps_.begin(), stamps_.end(), 0);
      base_ = 1;
    }
    bool repeated = false;
    for (std::size_t k = 0; k < x.size; ++k) {
      std::uint32_t& stamp = stamps_[static_cast<std::size_t>(x.slot(k))];
      const bool again = stamp >= base_;
      stamp = again ? stamp : base_ + static_cast<std::uint32_t>(k);
      repeated |= again;
    }
    if (repeated) {
      first_.resize(x.size);
      for (std::size_t k = 0; k < x.size; ++k) first_[k] = stamps_[static_cast<std::size_t>(x.slot(k))] - base_;
    }
    base_ += static_cast<std::uint32_t>(x.size);
    return repeated;
  }

  // The same for slots so high that stamps would take too much memory.
  bool find_by_order(const auto& x) {
    order_.resize(x.size);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return x.slot(a) < x.slot(b); });
    first_.assign(x.size, 0);
    bool repeated = false;
    for (std::size_t k = 0; k < x.size; ++k) {
      const bool again = k > 0 && x.slot(order_[k]) == x.slot(order_[k - 1]);
      first_[order_[k]] = again ? first_[order_[k - 1]] : order_[k];
      repeated |= again;
    }
    return repeated;
  }

  void add_up(const auto& x) {
    slots_.clear();
    values_.clear();
    place_.assign(x.size, 0);
    for (std::size_t k = 0; k < x.size; ++k) {
      if (first_[k] != k) {
        values_[place_[first_[k]]] += x.value(k);
        continue;
      }
      place_[k] = slots_.size();
      slots_.push_back(static_cast<std::uint32_t>(x.slot(k)));
      values_.push_back(x.value(k));
    }
  }

  std::uint32_t base_ = 1;
  std::vector<std::uint32_t> stamps_;
  std::vector<std::size_t> order_, first_, place_;
  std::vector<std::uint32_t> slots_;
  std::vector<double> values_;
};

template <class Rule>
At<Rule> numbers_at(const Lanes& lanes, std::ptrdiff_t slot) {
  At<Rule> at;
  for (std::size_t lane = 0; lane < at.size(); ++lane) at[lane] = lanes[lane][slot];
  return at;
}

template <class Rule>
double measure(const Lanes& lanes, const auto& x) {
  double measured = 0.0;
  if constexpr (requires(At<Rule> at) { Rule::measure(at, 1.0); }) {
    x.each([&](auto slot, double value) { measured += Rule::measure(numbers_at<Rule>(lanes, slot), value); });
  }
  return measured;
}

// Applies a step to every feature of a row; gives the change of ‖w‖². When a number leaves the
// doubles everything is put back as it was, to the bit.
template <class Rule>
double apply_step(Lanes& lanes, const auto& x, const auto& step, double square) {
  constexpr std::size_t kCount = kLaneCount<Rule>;
  double* undo = lanes.undo((x.size + 1) * kCount);
  std::array<double*, kCount> lane;
  for (std::size_t k = 0; k < kCount; ++k) lane[k] = lanes[k];
  double change = 0.0, doubt = 0.0;
  x.each([&](auto slot, double value) {
    At<Rule> at;
    for (std::size_t k = 0; k < kCount; ++k) *undo++ = at[k] = lane[k][slot];
    const double before = at[0];
    Rule::apply(at, value, step);
    change += (at[0] - before) * (at[0] + before);
    for (std::size_t k = 0; k < kCount; ++k) lane[k][slot] = at[k];
    for (std::size_t k = 1; k < kCount; ++k) doubt += at[k] * 0.0;  // NaN when it is not finite
  });
  if (std::isfinite(square + change + doubt)) return change;
  const double* kept = lanes.undo(0);
  x.each([&](auto slot, double) {
    for (std::size_t k = 0; k < kCount; ++k) lane[k][slot] = *kept++;
  });
  refuse_step();
}

template <class Rule>
bool learn_lane_wise(Rule& rule, Lanes& lanes, const auto& x, double y, double score, double weight) {
  const Step step = rule.plan(y, score, measure<Rule>(lanes, x), weight);
  if (step == Step{}) return false;
  rule.potential += apply_step<Rule>(lanes, x, step, rule.potential);
  return true;
}

template <class Rule>
bool attempt(Rule& rule, Lanes& lanes, Merger& merged, const auto& x, double y, double score, double weight) {
  if constexpr (LaneWise<Rule>) {
    return merged(x, [&](const auto& once) { return learn_lane_wise(rule, lanes, once, y, score, weight); });
  } else if constexpr (Distinct<Rule>) {
    return merged(x, [&](const auto& once) { return rule.learn(lanes, once, y, score, weight); });
  } else {
    return rule.learn(lanes, x, y, score, weight);
  }
}

// Kept out of line: most rounds teach nothing, and their loop is short without it.
template <class Rule>
[[gnu::noinline]] bool teach_something(Rule& rule, Lanes& lanes, Merger& merged, const auto& x, double y, double score, double weight) {
  const Rule before = rule;
  try {
    if constexpr (requires { rule.tick(); }) rule.tick();
    if constexpr (LaneWise<Rule>) {
      if (!rule.moves(y, score)) return false;
    }
    return attempt(rule, lanes, merged, x, y, score, weight);
  } catch (...) {
    rule = before;
    throw;
  }
}

// One labelled round; true when something changed. A failure leaves the rule as it was.
template <class Rule>
bool teach(Rule& rule, Lanes& lanes, Merger& merged, const auto& x, double y, double score, double weight) {
  if constexpr (LaneWise<Rule> && !requires { rule.tick(); }) {
    if (!rule.moves(y, score)) return false;
  }
  return teach_something(rule, lanes, merged, x, y, score, weight);
}

}  // namespace noregret
