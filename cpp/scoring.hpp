// The score of a row, whichever way a rule makes it, and what is said of a row that has none.
#pragma once

#include <bit>
#include <cmath>
#include <string>
#include <unordered_set>

#include "require.hpp"
#include "rules/learning.hpp"

namespace noregret {

// The numbers of a feature, met or not.
template <class Rule>
At<Rule> numbers_of(const Rule& rule, const Lanes& lanes, std::ptrdiff_t slot) {
  if (slot < static_cast<std::ptrdiff_t>(lanes.size())) return numbers_at<Rule>(lanes, slot);
  At<Rule> fresh;
  for (std::size_t lane = 0; lane < fresh.size(); ++lane) fresh[lane] = rule.initial(lane);
  return fresh;
}

template <class Rule>
double weight_of(const Rule& rule, const At<Rule>& at) {
  double weight = at[0];
  if constexpr (requires { rule.weight(at); }) weight = rule.weight(at);
  if constexpr (requires { rule.factor(); }) weight *= rule.factor();
  return weight;
}

// ⟨w, x⟩ where x may hold features without a slot. One accumulator, in the order given. Weights are chosen by masks: which features
// are new no processor foresees, and a branch upon it costs more than the sum.
template <class Rule>
double dot(const Rule& rule, const Lanes& lanes, const auto& x) {
  const double* w = lanes[0];
  const auto known = static_cast<std::ptrdiff_t>(lanes.size());
  const auto fresh = std::bit_cast<std::uint64_t>(rule.initial(0));
  double sum = 0.0;
  x.each([&](std::ptrdiff_t slot, double value) {
    const std::ptrdiff_t is_known = -static_cast<std::ptrdiff_t>(slot < known);  // all ones, or none
    const auto weight = std::bit_cast<std::uint64_t>(w[slot | ~is_known]);       // that of the bias if it is not
    const auto chosen = static_cast<std::uint64_t>(is_known);
    sum += std::bit_cast<double>((weight & chosen) | (fresh & ~chosen)) * value;
  });
  return sum;
}
static_assert(kBias == -1);

// Whether a rule looks at the row to make a score, and not only at ⟨lane 0, x⟩.
template <class Rule, class Row>
concept LooksAtRow = KeepsSupports<Rule> || requires(const Rule rule, const Lanes lanes, Row x) { rule.score(lanes, x, 0.0); } ||
                     requires(const Rule rule, At<Rule> at) { rule.weight(at); } ||
                     requires(const Rule rule, At<Rule> (*at)(std::ptrdiff_t), Row x) { rule.score(at, x); };

// The score of a row whose ⟨lane 0, x⟩ is known.
template <class Rule>
double score_of(const Rule& rule, const Lanes& lanes, const auto& x, double sum) {
  if constexpr (KeepsSupports<Rule>) return rule.score_by(lanes, x) + 0.0;
  if constexpr (requires { rule.score(lanes, x, sum); }) return rule.score(lanes, x, sum);
  const auto at = [&](std::ptrdiff_t slot) { return numbers_of(rule, lanes, slot); };
  if constexpr (requires { rule.score(at, x); }) return rule.score(at, x);
  if constexpr (requires { rule.weight(at(0)); }) {
    sum = 0.0;
    x.each([&](std::ptrdiff_t slot, double value) { sum += rule.weight(at(slot)) * value; });
  }
  if constexpr (requires { rule.factor(); }) sum *= rule.factor();
  if constexpr (requires { rule.shift(); }) return sum + rule.shift();
  return sum + 0.0;  // −0 is not a score of its own
}

template <class Rule>
double score_of(const Rule& rule, const Lanes& lanes, const auto& x) {
  return score_of(rule, lanes, x, dot(rule, lanes, x));
}

[[gnu::cold, gnu::noinline, noreturn]] void refuse_score(const auto& x, auto&& label) {
  require_finite_values(x, label);
  refuse_overflow();
}

// A bad value shows in the score: weights are finite, so NaN and ±inf cannot cancel.
double require_finite(double score, const auto& x, auto&& label) {
  if (!std::isfinite(score)) refuse_score(x, label);
  return score;
}

// A repeated feature adds up, and 1 + 1 is not 0 or 1.
template <class Rule>
void require_once(const auto& x, auto&& label) {
  std::unordered_set<std::string> met;
  for (std::size_t k = 0; k < x.size; ++k) {
    if (!is_there(x, k) || x.value(k) == 0.0 || met.insert(label(k)).second) continue;
    throw Refusal("BadInput", "feature " + label(k) + " is given twice, which adds up to 2; " + Rule::kName + " takes only 0 and 1");
  }
}

// Refuses a value other than 0 and 1 where a rule takes only these.
template <class Rule>
void require_values(const auto& x, auto&& label) {
  if constexpr (requires { requires Rule::kBinary; }) {
    bool rising = true;
    std::ptrdiff_t before = -1;
    for (std::size_t k = 0; k < x.size; ++k) {
      if (!is_there(x, k)) continue;
      const double value = x.value(k);
      if (value != 0.0 && value != 1.0) {
        throw Refusal("BadInput", "feature " + label(k) + " is " + shown(value) + "; " + Rule::kName +
                                      " takes only 0 and 1 (normalized-winnow and balanced-winnow take any number)");
      }
      rising = rising && x.slot(k) > before;
      before = x.slot(k);
    }
    if (!rising) require_once<Rule>(x, label);
  }
}

}  // namespace noregret
