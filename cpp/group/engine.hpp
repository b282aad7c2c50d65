// The loop of a group, for one rule.
#pragma once

#include <optional>

#include "../block_rows.hpp"
#include "../scoring.hpp"
#include "group.hpp"
#include "plain_row.hpp"
#include "scaled_row.hpp"

namespace noregret {

template <class Rule>
class GroupEngine final : public Group {
 public:
  GroupEngine(const Learner& like, std::vector<Rule> rules)
      : Group(like, rules.size(), kLaneCount<Rule>), rules_(std::move(rules)), kernels_(group::rule_kernels(Rule::kName)),
        form_(group::ScaledRow::form(group::kernels(), scaler.kind())) {
    statistics_.add(scaler.lane_names().size());
    scaler = Scaler(scaler.kind(), 1);
    for (auto* array : {&scores_, &first_, &second_, &measured_, &change_, &doubt_}) array->resize(columns_.stride);
    moving_.resize(columns_.stride);
    grow(0);
  }

  std::unique_ptr<Group> clone() const override { return std::make_unique<GroupEngine>(*this); }

  // Takes over the numbers of a member, or gives them back.
  void read(std::size_t member, const Lanes& lanes) {
    grow(lanes.size());
    for (std::size_t lane = 0; lane < kLaneCount<Rule>; ++lane) {
      for (auto slot = kBias; slot < static_cast<std::ptrdiff_t>(lanes.size()); ++slot) {
        columns_[slot][lane * columns_.stride + member] = lanes[lane][slot];
        wild_ = wild_ || !(std::abs(lanes[lane][slot]) <= kLargest);
      }
    }
    for (std::size_t k = 0; k + kLaneCount<Rule> < lanes.count(); ++k) {
      std::copy_n(lanes[kLaneCount<Rule> + k] + kBias, lanes.size() + 1, statistics_[1 + k] + kBias);
    }
  }
  void write(std::size_t member, Learner& learner) const override {
    learner.features = features;
    learner.lanes.grow(columns_.size(), [&](std::size_t lane) { return learner.initial(lane); });
    for (std::size_t lane = 0; lane < kLaneCount<Rule>; ++lane) {
      for (auto slot = kBias; slot < static_cast<std::ptrdiff_t>(columns_.size()); ++slot) {
        learner.lanes[lane][slot] = columns_[slot][lane * columns_.stride + member];
      }
    }
    for (std::size_t k = 0; k + kLaneCount<Rule> < learner.lanes.count(); ++k) {
      std::copy_n(statistics_[1 + k] + kBias, columns_.size() + 1, learner.lanes[kLaneCount<Rule> + k] + kBias);
    }
    Numbers scalars;
    Rule(rules_[member]).each_scalar([&](const char* name, double& value) { scalars[name] = value; });
    learner.set_scalars(scalars);
    learner.learned = rounds_learned(member);
  }

  void predict(Resolved& row, double* said) override {
    score(row);
    for (std::size_t m = 0; m < members; ++m) said[m] = rules_[m].predict(scores_[m]);
  }

  void learn(Resolved& row, double y, double weight) override {
    score(row);
    require_label(y);
    require_weight(weight);
    last_ = Last{};
    last_.known = features.mark();
    keeps_ = true;  // undo() may be asked for
    absorb(row, y, weight);
    last_.learned = weight > 0.0;
    learned_ += last_.learned;
  }

  void undo() override {
    if (last_.known) features.go_back(*last_.known);
    if (last_.learned) --learned_;
    if (!last_.rules.empty()) rules_ = last_.rules;
    if (last_.moved) columns_.put_back({last_.slots.data(), nullptr, last_.slots.size()}, bias_, undo_);
    const std::size_t count = statistics_.count() - 1;
    if (last_.scaled && count > 0) statistics_[1][kBias] = last_.rows;
    for (std::size_t k = 0; k < last_.statistics.size(); ++k) {
      statistics_[1 + k % count][last_.slots[k / count]] = last_.statistics[k];
    }
    last_ = Last{};
  }

  void play(const Block& block, double* said) override {
    keeps_ = false;
    features.require(block.columns ? FeatureKind::name : FeatureKind::index);
    if (block.columns) known_.look_at(block.columns);
    const Passing passing{coming_};
    for (std::size_t r = 0; r < block.count; ++r) at_row(r, [&] { play_row(block, r, said); });
  }

  void predict_rows(const Block& block, double* said) override {
    each_resolved(block, features, [&](std::size_t r, Resolved& row) {
      score(row);
      write_said(block, said, r);
    });
  }

 private:
  // While a block is played. However that ends, nobody may look at its rows afterwards.
  struct Passing {
    ComingRow& coming;
    ~Passing() { coming.forget(); }
  };

  // What the last learn() changed.
  struct Last {
    std::optional<Features::Mark> known;
    std::vector<Rule> rules;
    std::vector<std::uint32_t> slots;
    std::vector<double> statistics;
    double rows = 0.0;
    bool moved = false, scaled = false, learned = false;
  };

  // Learns from a row whose scores are known.
  void absorb(Resolved& row, double y, double weight) {
    features.or_forget([&] {
      features.kind = row.kind;
      row.commit(features);
      grow(row.slots_needed(features));
      if (weight > 0.0) absorb_known(row, y, weight);
    });
  }

  // All its features have slots.
  void absorb_known(const Resolved& row, double y, double weight) {
    merged_(row.row(bias_), [&](const auto& once) {
      if (!scaler.on()) {
        plain_.take(once);
        if (once.size < row.size()) measure_again();
        if (wanted(y)) move_all(y, weight);
        return true;
      }
      const auto z = scaler.taken(statistics_, once);
      plain_.take(z);
      score_plain(z, [&](std::size_t k) { return row.label(features, k); });
      if (wanted(y)) move_all(y, weight);
      remember_statistics(z);
      scaler.keep(statistics_);
      return true;
    });
  }

  void write_said(const Block& block, double* said, std::size_t r) const {
    for (std::size_t m = 0; m < members; ++m) said[m * block.count + r] = rules_[m].predict(scores_[m]);
  }

  void grow(std::size_t slots) {
    columns_.grow(slots, members, [this](std::size_t lane, std::size_t m) { return rules_[m].initial(lane); });
    statistics_.grow(columns_.size(), [](std::size_t) { return 0.0; });
  }

  // ---- scores --------------------------------------------------------------------------------

  void score(Resolved& row) {
    features.require(row.kind);
    const auto label = [&](std::size_t k) { return row.label(features, k); };
    if (!scaler.on()) {
      const auto x = row.row(bias_);
      plain_.take(x);
      plain_.replace(columns_.size(), columns_.fresh());
      return score_plain(x, label);
    }
    row.distinguish();
    const auto x = row.row(bias_);
    require_finite_values(x, label);
    merged_(x, [&](const auto& once) {
      plain_.take(scaler.seen(statistics_, once));
      plain_.replace(columns_.size(), columns_.fresh());
      score_plain(x, label);
      return true;
    });
  }

  // The scores of the row that plain_ holds.
  void score_plain(const auto& x, auto&& label) {
    std::fill(scores_.begin(), scores_.end(), 0.0);
    std::fill(measured_.begin(), measured_.end(), 0.0);
    look_at_row(scores_, coming_.row(columns_.size()));
    double doubt = 0.0;
    for (std::size_t m = 0; m < members; ++m) {
      double sum = scores_[m];
      if constexpr (requires { rules_[m].factor(); }) sum *= rules_[m].factor();
      if constexpr (requires { rules_[m].shift(); }) {
        sum += rules_[m].shift();
      } else {
        sum += 0.0;
      }
      scores_[m] = sum;
      doubt += sum * 0.0;
    }
    if (doubt == 0.0) return;
    refuse_score(x, label);
  }

  void look_at_row(std::vector<double>& sums, group::Row next) {
    const group::Look look{sums.data(), measured_.data(), next};
    kernels_->look(columns_[0], plain_.row, columns_.stride, look);
    if (bias_) kernels_->look(columns_[kBias], group::kAlwaysOne, columns_.stride, look);
  }

  // What was measured with the score counts, unless repeated features have been added up since.
  void measure_again() {
    std::fill(measured_.begin(), measured_.end(), 0.0);
    look_at_row(change_, {});
  }

  // ---- learning ------------------------------------------------------------------------------

  // Whether a member wants to move, by the scores_ of the row. Where it does, the next is move_all().
  bool wanted(double y) {
    constexpr bool kTicks = requires(Rule rule) { rule.tick(); };
    if constexpr (kTicks) keep_rules();
    bool any = false;
    for (std::size_t m = 0; m < members; ++m) {
      if constexpr (kTicks) rules_[m].tick();
      const bool moves = rules_[m].moves(y, scores_[m]);
      moving_[m] = moves ? -1 : 0;
      any |= moves;
    }
    if constexpr (!kTicks) {
      if (any) keep_rules();
    }
    return any;
  }

  // The row that plain_ holds has no feature twice.
  void move_all(double y, double weight) {
    try {
      move(y, weight);
    } catch (...) {
      rules_ = last_.rules;
      throw;
    }
  }

  void keep_rules() { last_.rules = rules_; }

  void move(double y, double weight) {
    for (std::size_t m = 0; m < members; ++m) {
      const Step step = moving_[m] ? rules_[m].plan(y, scores_[m], measured_[m], weight) : Step{};
      if (step == Step{}) moving_[m] = 0;
      first_[m] = step[0];
      second_[m] = step[1];
    }
    std::fill(change_.begin(), change_.end(), 0.0);
    std::fill(doubt_.begin(), doubt_.end(), 0.0);
    const bool calm = is_calm();  // asked in any case: it remembers what was not
    const bool kept = keeps_ || !calm;
    if (kept) {
      columns_.keep(plain_.row, bias_, undo_);
      last_.slots.assign(plain_.row.slots, plain_.row.slots + plain_.row.size);
    }
    const group::Move step{first_.data(), second_.data(), moving_.data(), change_.data(), doubt_.data(), coming_.row(columns_.size())};
    kernels_->apply(columns_[0], plain_.row, columns_.stride, step);
    if (bias_) kernels_->apply(columns_[kBias], group::kAlwaysOne, columns_.stride, step);
    last_.moved = kept;
    if (kept) require_finite_numbers();
    for (std::size_t m = 0; m < members; ++m) {
      if (moving_[m]) rules_[m].potential += change_[m];
    }
  }

  // Where a number has left the doubles, the step is undone for everybody.
  void require_finite_numbers() {
    for (std::size_t m = 0; m < members; ++m) {
      if (!moving_[m] || std::isfinite(rules_[m].potential + change_[m] + doubt_[m])) continue;
      columns_.put_back(plain_.row, bias_, undo_);
      last_.moved = false;
      refuse_step();
    }
  }

  // Whether no number can leave the doubles, so that nothing has to be kept to be put back: neither the values of this row nor
  // its steps are out of the ordinary, nor were those before. Then a weight moves by 1e140 at the most (a step times a variance, which is
  // at most 1e100 and never grows, times a value), a sum of squares by 1e80, and no square of them passes 1e300.
  bool is_calm() {
    const auto within = group::kernels().within;
    bool ordinary = within(plain_.row.values, plain_.row.size, kLarge) && within(first_.data(), members, kLarge) && within(second_.data(), members, kLarge);
    for (std::size_t m = 0; m < members; ++m) {
      ordinary &= rules_[m].potential <= kLargest;
      if constexpr (requires { Rule::kLeastDivisor; }) ordinary &= !moving_[m] || second_[m] >= Rule::kLeastDivisor;
    }
    wild_ = wild_ || !ordinary;
    return !wild_;
  }

  void remember_statistics(const auto& z) {
    last_.slots.assign(z.slots, z.slots + z.size);
    last_.statistics.clear();
    last_.scaled = true;
    if (statistics_.count() > 1) last_.rows = statistics_[1][kBias];
    for (std::size_t k = 0; k < z.size; ++k) {
      for (std::size_t lane = 1; lane < statistics_.count(); ++lane) last_.statistics.push_back(statistics_[lane][z.slot(k)]);
    }
  }

  // ---- rows of a block -----------------------------------------------------------------------

  void play_row(const Block& block, std::size_t r, double* said) {
    const std::size_t bits = block.columns ? Features::kDirect : coming_.turn(plain_, block.rows, block.count, r);
    const bool looked_up = bits >= Features::kDirect || (scaler.on() && (form_ == nullptr || bits >= columns_.size()));
    if (looked_up) return play_resolved(block, r, said);
    const PlainRow::Row x = plain_.with(bias_);
    if (scaler.on()) return play_scaled(x, block, r, said);
    if (bits >= columns_.size()) grow(bits + 1);
    score_plain(x, [&](std::size_t k) { return std::to_string(x.slot(k)); });
    hear(block, said, r, [&](double y, double weight) {
      if (weight > 0.0 && wanted(y)) {
        merged_(x, [&](const auto& once) {
          plain_.take(once);
          if (once.size < x.size) measure_again();
          move_all(y, weight);
          return true;
        });
      }
      features.kind = FeatureKind::index;
    });
  }

  // The features are their own slots, and there is room for them.
  void play_scaled(const PlainRow::Row& x, const Block& block, std::size_t r, double* said) {
    const auto label = [&](std::size_t k) { return std::to_string(x.slot(k)); };
    require_finite_values(x, label);
    merged_(x, [&](const auto& once) {
      plain_.take(once);
      scaled_.take(form_, statistics_, plain_.row);
      plain_.row = scaled_.seen();
      score_plain(x, label);
      hear(block, said, r, [&](double y, double weight) {
        features.kind = FeatureKind::index;
        if (weight == 0.0) return;
        plain_.row = scaled_.taken();
        score_plain(x, label);
        if (wanted(y)) move_all(y, weight);
        scaled_.keep(statistics_, scaler.counts_rows());
      });
      return true;
    });
  }

  void play_resolved(const Block& block, std::size_t r, double* said) {
    resolve_row(block, r, features, known_.slots, resolved_);
    score(resolved_);
    hear(block, said, r, [&](double y, double weight) { absorb(resolved_, y, weight); });
  }

  // Writes down what was said, once the row has been learned if it has a label.
  void hear(const Block& block, double* said, std::size_t r, auto&& teach_row) {
    const double y = block.labels[r], weight = block.weights ? block.weights[r] : 1.0;
    write_said(block, said, r);
    if (std::isnan(y)) return;
    require_label(y);
    require_weight(weight);
    teach_row(y, weight);
    learned_ += weight > 0.0;
  }

  static constexpr double kLarge = 1e20, kLargest = 1e100;

  std::vector<Rule> rules_;
  const group::RuleKernels* kernels_;
  group::Scale form_;  // null: rows are not scaled, or not feature by feature
  Merger merged_;
  PlainRow plain_;
  ComingRow coming_;
  group::ScaledRow scaled_;
  Resolved resolved_;
  KnownColumns known_;
  std::vector<double> scores_, first_, second_, measured_, change_, doubt_, undo_;
  std::vector<std::int64_t> moving_;
  bool keeps_ = false;  // what a step changes
  bool wild_ = false;   // there may be numbers that are out of the ordinary
  Last last_;
};

// Null when the rule is not one of those that can, or the members have not met the same features.
template <class Rule>
std::unique_ptr<Group> group_of(const std::vector<const Learner*>& members, auto&& rule_of) {
  const Learner& like = *members.front();
  if (group::rule_kernels(Rule::kName) == nullptr) return nullptr;
  std::vector<Rule> rules;
  for (const Learner* member : members) {
    if (!like.stands_beside(*member)) return nullptr;
    rules.push_back(rule_of(*member));
  }
  auto made = std::make_unique<GroupEngine<Rule>>(like, std::move(rules));
  for (std::size_t m = 0; m < members.size(); ++m) {
    made->read(m, members[m]->lanes);
    made->before[m] = members[m]->learned;
  }
  return made;
}

}  // namespace noregret
