// The loop of one learner for several classes. A round (x, right) with the best wrong class as rival is the binary round
// (φ(x, right) − φ(x, rival), +1), where φ(x, c) has x in the place of class c (Kesler's construction): every lane-wise
// rule becomes a multiclass rule by being taught that difference.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "block_rows.hpp"
#include "multiclass.hpp"
#include "require.hpp"
#include "rule_numbers.hpp"
#include "rules/learning.hpp"

namespace noregret {

template <class Rule>
std::vector<double> initial_of(const Rule& rule) {
  std::vector<double> values;
  for (std::size_t lane = 0; lane < Rule::kLanes.size(); ++lane) values.push_back(rule.initial(lane));
  return values;
}

// A rule that looks at no feature, only at the labels.
template <class Rule>
concept Featureless = requires(Rule rule, double* counts) { rule.count(counts, std::size_t{0}, std::size_t{0}, 1.0); };

template <class Rule>
class MulticlassEngine final : public MulticlassLearner {
 public:
  MulticlassEngine(Rule rule, bool bias) : MulticlassLearner(initial_of(rule), bias || Featureless<Rule>), rule_(rule) {}

  std::unique_ptr<MulticlassLearner> clone() const override { return std::make_unique<MulticlassEngine>(*this); }
  std::string rule_name() const override { return std::string("multiclass-") + Rule::kName; }
  std::vector<std::string> lane_names() const override { return {Rule::kLanes.begin(), Rule::kLanes.end()}; }
  Numbers parameters() const override { return parameters_of(rule_); }
  Numbers scalars() const override { return scalars_of(rule_); }
  void set_scalars(const Numbers& numbers) override { set_scalars_of(rule_, numbers); }
  double weight(std::size_t row, std::size_t number) const override { return factor() * grid.at(0, row)[number]; }
  double potential() const override { return rule_.potential; }
  double loss(double margin, bool mistaken, bool alone) const override {
    if constexpr (Featureless<Rule>) {
      return mistaken ? 1.0 : 0.0;
    } else {
      return alone ? 0.0 : rule_.loss(margin, 1.0);
    }
  }

  const std::vector<double>& scores(Resolved& row) const override {
    features.require(row.kind);
    require_finite_values(row.row(false), [&](std::size_t k) { return row.label(features, k); });
    if (!scaler.on()) return scores_of(row.row(bias));
    row.distinguish();
    merged_(row.row(bias), [&](const auto& once) {
      scores_of(scaler.seen(statistics, once));
      return true;
    });
    return scores_;
  }

  bool learn(Resolved& row, const ClassLabel& right, double weight) override {
    scores(row);
    require_class(right);
    require_weight(weight);
    const bool changed = update(row, right, weight);
    learned.add(weight > 0.0);
    return changed;
  }

  bool learn_costs(Resolved& row, const Costs& costs, double weight) override;
  void play(const Block& block, Tally& tally, const Said& said) override;

  void score_rows(const Block& block, const Said& said) const override {
    each_resolved(block, features, [&](std::size_t r, Resolved& row) {
      const std::uint32_t said_class = leader(scores(row));
      write(said, r, top(said_class), in_terms_of(block, said_class));
    });
  }

 private:
  double factor() const {
    if constexpr (requires { rule_.factor(); }) return rule_.factor();
    return 1.0;
  }

  double top(std::uint32_t number) const { return number == kUnknown ? 0.0 : scores_[number]; }

  // The scores of a row as the rule sees it. A feature that was not met weighs nothing, in every class.
  const std::vector<double>& scores_of(const auto& x) const {
    rows_.clear();
    values_.clear();
    x.each([&](std::ptrdiff_t slot, double value) {
      const std::uint32_t place = Featureless<Rule> && slot != kBias ? kUnknown : grid.find(slot);
      if (place == kUnknown) return;
      rows_.push_back(place);
      values_.push_back(value);
    });
    scores_.resize(grid.stride());
    add_up(grid, rows_.data(), values_.data(), rows_.size(), scores_.data());
    scores_.resize(classes.size());
    double doubt = 0.0;
    for (double& score : scores_) {
      score = score * factor() + 0.0;  // −0 is not a score of its own
      doubt += score * 0.0;
    }
    if (!std::isfinite(doubt)) refuse_overflow();
    return scores_;
  }

  // ---- learning ------------------------------------------------------------------------------

  // What a label says: the class that the right one is held against, and how much that counts.
  struct Against {
    std::uint32_t rival;
    bool mistaken;
    double weight;
  };

  // The scores of the row are known. A class that is new joins with weights of zero.
  bool update(Resolved& row, const ClassLabel& label, double weight) {
    const std::uint32_t known = classes.find(label);
    const std::uint32_t right = known == kUnknown ? static_cast<std::uint32_t>(classes.size()) : known;
    if (known == kUnknown) {
      join(label);
      scores_.push_back(0.0);
    }
    try {
      return reveal(row, right, weight, [&] { return Against{leader(scores_, right), leader(scores_) != right, weight}; });
    } catch (...) {
      if (known == kUnknown) classes.forget_last();
      throw;
    }
  }

  // `against` says, by the scores as they stand, what the right class is held against.
  bool reveal(Resolved& row, std::uint32_t right, double weight, auto&& against) {
    if constexpr (Featureless<Rule>) {
      features.kind = row.kind;
      const double counted = against().weight;
      return counted > 0.0 && rule_.count(grid.at(0, 0), classes.size(), right, counted);
    } else {
      lead(right, against().rival);
      return features.or_forget([&] {
        features.kind = row.kind;
        row.commit(features);
        if (weight == 0.0) return false;
        if (scaler.on()) return teach_scaled(row, right, against);
        const Against told = against();
        return teach(right, told, [&](double margin) {
          return merged_(row.row(bias), [&](const auto& x) { return step(x, right, told, margin); });
        });
      });
    }
  }

  // The scaler takes the row in first; the rule learns from the row, and the scores, that come of it.
  bool teach_scaled(const Resolved& row, std::uint32_t right, auto&& against) {
    return merged_(row.row(bias), [&](const auto& once) {
      std::size_t slots = 0;
      for (std::size_t k = 0; k < once.size; ++k) slots = std::max(slots, static_cast<std::size_t>(once.slot(k)) + 1);
      grow_statistics(slots);
      const auto z = scaler.taken(statistics, once);
      scores_of(z);
      const Against told = against();
      const bool changed = teach(right, told, [&](double margin) { return step(z, right, told, margin); });
      scaler.keep(statistics);
      return changed;
    });
  }

  // By how much the right class leads its rival.
  double lead(std::uint32_t right, std::uint32_t rival) const {
    const double margin = rival == kUnknown ? 0.0 : scores_[right] - scores_[rival];
    if (!std::isfinite(margin)) throw Refusal("BadInput", "the scores of this row overflow; scale the values down");
    return margin;
  }

  bool teach(std::uint32_t right, const Against& told, auto&& step) {
    double margin = lead(right, told.rival);
    if (told.rival == kUnknown || told.weight == 0.0) return false;  // one class alone teaches nothing
    // A tie that is a mistake lies on the wrong side, where a loss with a corner at 0 has a slope.
    if (told.mistaken && margin == 0.0) margin = -std::numeric_limits<double>::denorm_min();
    const Rule before = rule_;
    try {
      if constexpr (requires { rule_.tick(); }) rule_.tick();
      return (rule_.moves(1.0, margin) || told.mistaken) && step(margin);  // a mistake always teaches
    } catch (...) {
      rule_ = before;
      throw;
    }
  }

  bool step(const auto& x, std::uint32_t right, const Against& told, double margin) {
    const std::uint32_t rival = told.rival;
    rows_.clear();
    x.each([&](auto slot, double) { rows_.push_back(grid.meet(slot)); });
    const auto chosen = rule_.plan(1.0, margin, measured(x, right, rival), told.weight);
    if (chosen == std::remove_const_t<decltype(chosen)>{}) return false;
    undo_.clear();
    double change = 0.0, doubt = 0.0;
    std::size_t k = 0;
    x.each([&](auto, double value) {
      change += apply(rows_[k], right, value, chosen, doubt);
      change += apply(rows_[k++], rival, -value, chosen, doubt);
    });
    if (!std::isfinite(rule_.potential + change + doubt)) {
      put_back(right, rival);
      refuse_step();
    }
    rule_.potential += change;
    return true;
  }

  double measured(const auto& x, std::uint32_t right, std::uint32_t rival) const {
    double sum = 0.0;
    if constexpr (requires(At<Rule> at) { Rule::measure(at, 1.0); }) {
      std::size_t k = 0;
      x.each([&](auto, double value) {
        sum += Rule::measure(numbers(rows_[k], right), value);
        sum += Rule::measure(numbers(rows_[k++], rival), -value);
      });
    }
    return sum;
  }

  At<Rule> numbers(std::size_t row, std::uint32_t number) const {
    At<Rule> at;
    for (std::size_t lane = 0; lane < at.size(); ++lane) at[lane] = grid.at(lane, row)[number];
    return at;
  }

  // Changes the numbers of one feature and class; gives the change of ‖w‖².
  double apply(std::size_t row, std::uint32_t number, double value, const auto& chosen, double& doubt) {
    At<Rule> at = numbers(row, number);
    undo_.push_back(at);
    const double before = at[0];
    Rule::apply(at, value, chosen);
    for (std::size_t lane = 0; lane < at.size(); ++lane) {
      grid.at(lane, row)[number] = at[lane];
      doubt += at[lane] * 0.0;
    }
    return (at[0] - before) * (at[0] + before);
  }

  void put_back(std::uint32_t right, std::uint32_t rival) {
    for (std::size_t k = 0; k < undo_.size(); ++k) {
      for (std::size_t lane = 0; lane < undo_[k].size(); ++lane) grid.at(lane, rows_[k / 2])[k % 2 == 0 ? right : rival] = undo_[k][lane];
    }
  }

  // ---- rows of a block -----------------------------------------------------------------------

  static ClassLabel label_of(const Block& block, double label) {
    if (block.classes == nullptr) return label;
    const bool inside = label >= 0.0 && label < static_cast<double>(block.classes->size());
    const std::size_t place = inside ? static_cast<std::size_t>(label) : 0;
    if (!inside || static_cast<double>(place) != label) {
      throw Refusal("BadLabel", "the label is " + shown(label) + ", which is no place in the list of classes");
    }
    return (*block.classes)[place];
  }

  // A class the way the labels of a block write it.
  double in_terms_of(const Block& block, std::uint32_t number) const {
    if (number == kUnknown) return kNothing;
    const ClassLabel& label = classes.at(number);
    if (block.classes == nullptr) return std::holds_alternative<double>(label) ? std::get<double>(label) : kNothing;
    const auto found = std::find(block.classes->begin(), block.classes->end(), label);
    return found == block.classes->end() ? kNothing : static_cast<double>(found - block.classes->begin());
  }

  double written(const Block& block, std::uint32_t number, std::vector<double>& known) const {
    if (number == kUnknown) return kNothing;
    while (known.size() <= number) known.push_back(in_terms_of(block, static_cast<std::uint32_t>(known.size())));
    return known[number];
  }

  void play_row(const Block& block, std::size_t r, Resolved& row, std::vector<double>& known, Tally& tally, const Said& said);

  Rule rule_;
  mutable Merger merged_;
  KnownColumns known_;
  mutable std::vector<double> scores_, values_;
  mutable std::vector<std::uint32_t> rows_;
  std::vector<At<Rule>> undo_;
};

template <class Rule>
void MulticlassEngine<Rule>::play(const Block& block, Tally& tally, const Said& said) {
  features.require(block.columns ? FeatureKind::name : FeatureKind::index);
  Resolved row;
  std::vector<double> known;
  if (block.columns) known_.look_at(block.columns);
  for (std::size_t r = 0; r < block.count; ++r) {
    at_row(r, [&] {
      resolve_row(block, r, features, known_.slots, row);
      play_row(block, r, row, known, tally, said);
    });
  }
}

template <class Rule>
void MulticlassEngine<Rule>::play_row(const Block& block, std::size_t r, Resolved& row, std::vector<double>& known, Tally& tally,
                                      const Said& said) {
  const std::uint32_t predicted = leader(scores(row));
  const double best = top(predicted), y = block.labels[r], weight = block.weights ? block.weights[r] : 1.0;
  if (std::isnan(y)) {
    tally.skip(rule_.potential);
  } else {
    const ClassLabel label = label_of(block, y);
    require_class(label);
    require_weight(weight);
    const std::uint32_t right = classes.find(label), rival = leader(scores_, right);
    const double lead = rival == kUnknown ? 0.0 : (right == kUnknown ? 0.0 : scores_[right]) - scores_[rival];
    const bool updated = update(row, label, weight);
    learned.add(weight > 0.0);
    const double suffered = loss(lead, right == kUnknown || predicted != right, rival == kUnknown);
    tally.add_class(predicted, classes.find(label), suffered, updated, weight, rule_.potential);
  }
  write(said, r, best, written(block, predicted, known));
}

template <class Rule>
bool MulticlassEngine<Rule>::learn_costs(Resolved& row, const Costs& costs, double weight) {
  const std::uint32_t predicted = leader(scores(row));
  require_weight(weight);
  const auto cheapest = std::min_element(costs.begin(), costs.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second < b.second : a.first < b.first;
  });
  double paid = cheapest->second;
  for (const auto& [label, cost] : costs) {
    if (predicted != kUnknown && label == classes.at(predicted)) paid = cost;
  }
  const std::size_t known = classes.size();
  try {
    for (const auto& [label, cost] : costs) join(label);
    scores_.resize(classes.size(), 0.0);
    const std::uint32_t right = classes.find(cheapest->first);
    const double importance = weight * (paid - cheapest->second);
    require_weight(importance);
    const bool mistaken = importance > 0.0;
    const bool changed = reveal(row, right, weight, [&] { return Against{mistaken ? predicted : kUnknown, mistaken, importance}; });
    learned.add(weight > 0.0);
    return changed;
  } catch (...) {
    while (classes.size() > known) classes.forget_last();
    throw;
  }
}

}  // namespace noregret
