// The loop of one learner: every rule over every kind of row.
#pragma once

#include <cmath>
#include <string>
#include <unordered_map>

#include "block_rows.hpp"
#include "group/engine.hpp"
#include "learner.hpp"
#include "played.hpp"
#include "require.hpp"
#include "rule_numbers.hpp"
#include "rules/learning.hpp"
#include "scan.hpp"
#include "scoring.hpp"

namespace noregret {

template <class Rule>
class Engine final : public Learner {
 public:
  Engine(Rule rule, bool bias) : Learner(Rule::kLanes.size(), bias), rule_(rule) {
    grow(0);
  }

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Engine>(*this); }
  const char* rule_name() const override { return Rule::kName; }
  std::vector<std::string> lane_names() const override {
    std::vector<std::string> names(Rule::kLanes.begin(), Rule::kLanes.end());
    for (const std::string& name : scaler.lane_names()) names.push_back(name);
    return names;
  }
  std::unique_ptr<Group> group(const std::vector<const Learner*>& members) const override {
    if constexpr (LaneWise<Rule> && !requires(const Rule rule, At<Rule> at) { rule.weight(at); }) {
      return group_of<Rule>(members, [](const Learner& one) { return static_cast<const Engine&>(one).rule_; });
    } else {
      return nullptr;
    }
  }
  Numbers parameters() const override { return parameters_of(rule_); }
  Numbers scalars() const override { return scalars_of(rule_); }
  void set_scalars(const Numbers& numbers) override { set_scalars_of(rule_, numbers); }
  double initial(std::size_t lane) const override { return lane < kLaneCount<Rule> ? rule_.initial(lane) : 0.0; }
  bool predicts_numbers() const override { return kPredictsNumbers<Rule>; }
  bool has_matrix() const override { return KeepsMatrix<Rule>; }
  bool has_supports() const override { return KeepsSupports<Rule>; }
  double initial_variance() const override {
    if constexpr (requires { rule_.variance(); }) return rule_.variance();
    return 1.0;
  }
  double weight(std::ptrdiff_t slot) const override { return weight_of(rule_, numbers_of(rule_, lanes, slot)); }
  double predict(double score) const override { return rule_.predict(score); }
  double loss(double score, double y) const override { return rule_.loss(score, y); }
  double potential() const override { return rule_.potential; }

  double score(Resolved& row) const override {
    if constexpr (KeepsSupports<Rule>) {
      if (row.repeats_a_stranger()) {
        Resolved added = row.with_strangers_added_up();
        return score(added);
      }
    }
    features.require(row.kind);
    if (scaler.on()) row.distinguish();
    const auto x = KeepsMatrix<Rule> ? row.told_apart(bias) : row.row(bias);
    for (std::size_t k = 0; k < x.size; ++k) __builtin_prefetch(lanes[0] + x.slot(k));  // they lie all over the memory
    const auto label = [&](std::size_t k) { return row.label(features, k); };
    require_values<Rule>(x, label);
    if (scaler.on()) return scaled_score(settled(row.width), x, label);
    return require_finite(score_of(settled(row.width), lanes, x), x, label);
  }

  bool learn(Resolved& row, double y, double weight, double said) override {
    require_truth(y);
    require_weight(weight);
    const bool changed = update(row, y, weight, said);
    learned.add(weight > 0.0);
    return changed;
  }

  // Learns on a copy of the few numbers that the row touches.
  void rehearse(Resolved& row, double y, double weight) const override {
    const double seen = score(row);
    require_truth(y);
    require_weight(weight);
    if constexpr (KeepsMatrix<Rule> || KeepsSupports<Rule>) {
      Engine whole(*this);
      Resolved again(row);
      whole.learn(again, y, weight, seen);
      return;
    }
    row.distinguish();
    Engine trial(settled(row.width), bias);
    trial.scale_rows(scaler.kind());
    Resolved small;
    small.clear(row.size());
    small.kind = FeatureKind::index;
    small.width = row.width;
    std::unordered_map<std::uint32_t, std::uint32_t> places;
    for (std::size_t k = 0; k < row.size(); ++k) {
      small.push(places.try_emplace(row.slot(k), static_cast<std::uint32_t>(places.size())).first->second, row.row(bias).value(k));
    }
    trial.grow(places.size());
    for (std::size_t lane = 0; lane < lanes.count(); ++lane) {
      trial.lanes[lane][kBias] = lanes[lane][kBias];
      for (const auto& [slot, place] : places) {
        if (slot < lanes.size()) trial.lanes[lane][place] = lanes[lane][slot];
      }
    }
    trial.learn(small, y, weight, seen);
  }

  void play(const Block& block, Tally& tally, const Said& said) override {
    const Rule before = rule_;
    settle(block.width);
    Played<Rule> played{block, tally, said};
    const auto finish = [&] {
      played.count(rule_);
      learned.add(played.learned);
      if (played.labelled > 0) {
        features.kind = block.columns ? FeatureKind::name : FeatureKind::index;
      } else {
        rule_ = before;  // a row without a label settles nothing
      }
    };
    try {
      std::visit([&](const auto& rows) { play_rows(rows, block, played); }, block.rows);
    } catch (...) {
      finish();  // the rows before the bad one were learned
      throw;
    }
    finish();
  }

  void score_rows(const Block& block, const Said& said) const override {
    each_resolved(block, features, [&](std::size_t r, Resolved& row) {
      const double seen = score(row);
      write(said, r, seen, rule_.predict(seen));
    });
  }

 private:
  void require_truth(double y) const {
    if constexpr (requires { rule_.require_truth(y); }) {
      rule_.require_truth(y);
    } else if constexpr (kPredictsNumbers<Rule>) {
      require_number(y);
    } else {
      require_label(y);
    }
  }

  // ---- a rule may want to know the number of features --------------------------------------

  Rule settled(std::int64_t width) const {
    Rule rule = rule_;
    if constexpr (requires { rule.settle(width); }) rule.settle(width);
    return rule;
  }
  void settle(std::int64_t width) { rule_ = settled(width); }

  // ---- scores --------------------------------------------------------------------------------

  // Scaling may hide a bad value, so values are looked at one by one.
  double scaled_score(const Rule& rule, const auto& x, auto&& label) const {
    require_finite_values(x, label);
    double score = 0.0;
    merged_(x, [&](const auto& once) {
      score = score_of(rule, lanes, scaler.seen(lanes, once));
      return true;
    });
    return require_finite(score, x, label);
  }

  // How a person would call a feature that is its own slot.
  auto direct_label(const auto& x, const Block& block) const {
    return [&](std::size_t k) {
      const auto slot = static_cast<std::size_t>(x.slot(k));
      return block.columns ? "'" + std::string(features.names.at(slot)) + "'" : std::to_string(slot);
    };
  }

  [[gnu::cold, gnu::noinline, noreturn]] void refuse_direct(const auto& x, const Block& block) const {
    refuse_score(x, direct_label(x, block));
  }

  // ---- learning ------------------------------------------------------------------------------

  void grow(std::size_t slots) {
    lanes.grow(slots, [this](std::size_t lane) { return initial(lane); });
  }

  // Refuses a row whose features would not fit the matrix, before they are met.
  void require_room(const Resolved& row, double y, double weight, double seen) const {
    if (weight == 0.0 || !rule_.moves(y, seen)) return;
    std::size_t more = 0;
    const auto x = row.row(bias);
    x.each([&](std::ptrdiff_t slot, double value) {
      more += value != 0.0 && (slot == static_cast<std::ptrdiff_t>(kUnknown) || !lanes.factors.has(slot));
    });
    lanes.factors.require_room(more);
  }

  bool update(Resolved& row, double y, double weight, double seen) {
    if constexpr (KeepsMatrix<Rule>) require_room(row, y, weight, seen);
    return features.or_forget([&] {
      features.kind = row.kind;
      settle(row.width);
      row.commit(features);
      grow(row.slots_needed(features));
      if (weight == 0.0) return false;
      if (scaler.on()) return teach_scaled(row, y, weight);
      return teach(rule_, lanes, merged_, row.row(bias), y, seen, weight);
    });
  }

  // The scaler takes the row in first; the rule learns from the row, and the score, that come of it.
  bool teach_scaled(const Resolved& row, double y, double weight) {
    const auto x = row.row(bias);
    return merged_(x, [&](const auto& once) {
      const auto z = scaler.taken(lanes, once);
      const double score = require_finite(score_of(rule_, lanes, z), x, [&](std::size_t k) { return row.label(features, k); });
      const bool changed = teach(rule_, lanes, merged_again_, z, y, score, weight);
      scaler.keep(lanes);
      return changed;
    });
  }

  // ---- rows of a block -----------------------------------------------------------------------

  // One round whose score is known; `update` changes the weights.
  bool round(Played<Rule>& played, std::size_t r, double score, auto&& update) {
    const double y = played.block.labels[r];
    if (std::isnan(y)) {
      played.skip(rule_, score);
      return false;
    }
    require_truth(y);
    double weight = 1.0;
    if (played.block.weights) require_weight(weight = played.block.weights[r]);
    played.ask(rule_, score, y);
    const bool updated = update(y, weight);
    played.settle(rule_, updated);
    return updated;
  }

  void play_rows(const auto& rows, const Block& block, Played<Rule>& played) {
    features.require(block.columns ? FeatureKind::name : FeatureKind::index);
    if (block.columns) known_.look_at(block.columns);
    if (scaler.on()) return play_resolved(block, 0, block.count, played);
    if (block.columns) return play_named(rows, block, played);
    for (std::size_t r = 0; r < block.count;) {
      if (r + kTogether<RowOf<decltype(rows)>> <= block.count) {
        const auto few = neighbours(rows, r);
        const auto seen = scan_together(lanes, few);
        std::size_t bits = 0;
        for (const Scan& one : seen) bits |= one.bits;
        if (bits < std::min<std::size_t>(lanes.size(), Features::kDirect)) {
          r += play_neighbours(few, seen, r, played);
          continue;
        }
      }
      play_alone(rows, block, r++, played);
    }
  }

  // Rows of a table. Once there is a weight for the features of its columns, only words are new.
  void play_rows(TableRows rows, const Block& block, Played<Rule>& played) {
    features.require(block.columns ? FeatureKind::name : FeatureKind::index);
    if (block.columns) known_.look_at(block.columns);
    if (scaler.on()) return play_resolved(block, 0, block.count, played);
    if (block.columns) rows.slots = known_.slots.data();
    table_.look_at(rows);
    // Sums of neighbours are in vain where most rows teach something, and where sums are not enough.
    constexpr bool kBySum = !LooksAtRow<Rule, SparseRow<double, std::uint32_t>>;
    bool calm = kBySum;
    for (std::size_t r = 0; r < block.count;) {
      const std::size_t limit = block.columns ? lanes.size() : std::min<std::size_t>(lanes.size(), Features::kDirect);
      const bool some = calm && r + kTogether<TableRow> <= block.count;
      if (some && table_.has_weights(r, kTogether<TableRow>, limit)) {
        const auto few = neighbours(rows, r);
        const std::size_t done = play_neighbours(few, scan_together(lanes, few), r, played);
        calm = done == few.size();
        r += done;
        continue;
      }
      if (table_.has_weights(r, 1, limit)) {
        const auto play = [&](const auto& x) { return play_direct(x, scan(lanes, x).sum, r, played); };
        calm = !at_row(r, [&] { return table_.in_one_piece(rows.row(r, bias), play); }) && kBySum;
      } else {
        play_resolved(block, r, r + 1, played);
      }
      ++r;
    }
  }

  bool in_one_piece(const auto& x, auto&& work) { return work(x); }
  bool in_one_piece(const TableRow& x, auto&& work) { return table_.in_one_piece(x, work); }

  // Rows whose columns have names. Once a name has a slot, its row is played like any other.
  void play_named(const auto& rows, const Block& block, Played<Rule>& played) {
    constexpr std::size_t kSome = 16;
    for (std::size_t r = 0; r < block.count;) {
      const std::size_t end = std::min(r + kSome, block.count);
      if (known_.are_slots(rows, r, end - r)) {
        play_slots(rows, r, end, played);
      } else {
        play_translated(rows, block, r, end, played);
      }
      r = end;
    }
  }

  // Rows whose columns are their slots.
  void play_slots(const auto& rows, std::size_t r, std::size_t end, Played<Rule>& played) {
    while (r + kTogether<RowOf<decltype(rows)>> <= end) {
      const auto few = neighbours(rows, r);
      r += play_neighbours(few, scan_together(lanes, few), r, played);
    }
    for (; r < end; ++r) {
      const auto x = rows.row(r, bias);
      at_row(r, [&] { return play_direct(x, scan(lanes, x).sum, r, played); });
    }
  }

  // Rows of which some have columns with other slots, or without one.
  void play_translated(const auto& rows, const Block& block, std::size_t r, std::size_t end, Played<Rule>& played) {
    std::vector<std::uint32_t> first, second;
    while (r < end) {
      const auto x = rows.row(r, bias);
      if (!known_.translate(x, first)) {
        play_resolved(block, r, r + 1, played);
        ++r;
        continue;
      }
      const auto slotted = with_slots(x, first);
      if (r + 1 == end || !known_.translate(rows.row(r + 1, bias), second)) {
        at_row(r, [&] { return play_direct(slotted, scan(lanes, slotted).sum, r, played); });
        ++r;
        continue;
      }
      const std::array two{slotted, with_slots(rows.row(r + 1, bias), second)};
      r += play_neighbours(two, scan_together(lanes, two), r, played);
    }
  }

  auto neighbours(const auto& rows, std::size_t r) const {
    Neighbours<RowOf<decltype(rows)>> few;
    for (std::size_t k = 0; k < few.size(); ++k) few[k] = rows.row(r + k, bias);
    return few;
  }

  // Row r and its neighbours, which have slots for all their features; gives how many of them were
  // played: a sum is good until a row before it teaches something.
  template <class Few>
  std::size_t play_neighbours(const Few& few, const Scans<typename Few::value_type>& seen, std::size_t r, Played<Rule>& played) {
    for (std::size_t k = 0; k < few.size(); ++k) {
      if (at_row(r + k, [&] { return play_direct(few[k], seen[k].sum, r + k, played); })) return k + 1;
    }
    return few.size();
  }

  // A row that has no neighbour, or a feature without a weight.
  [[gnu::noinline]] void play_alone(const auto& rows, const Block& block, std::size_t r, Played<Rule>& played) {
    const auto x = rows.row(r, bias);
    Scan seen = scan(lanes, x);
    if (seen.bits >= lanes.size() && seen.bits < Features::kDirect) {
      grow(seen.bits + 1);
      seen = scan(lanes, x);
    }
    // A feature that is not its own slot; a negative one looks huge here.
    if (seen.bits >= Features::kDirect) {
      play_resolved(block, r, r + 1, played);
    } else {
      at_row(r, [&] { return play_direct(x, seen.sum, r, played); });
    }
  }

  // The features are their own slots, there is room for them, and ⟨w, x⟩ is known. True when a
  // score changed by what was learned.
  bool play_direct(const auto& x, double sum, std::size_t r, Played<Rule>& played) {
    require_values<Rule>(x, direct_label(x, played.block));
    if (bias) sum += lanes[0][kBias];
    const double score = score_of(rule_, lanes, x, sum);
    if (!std::isfinite(score)) refuse_direct(x, played.block);
    return round(played, r, score, [&](double y, double weight) {
      if constexpr (LaneWise<Rule> && !requires { rule_.tick(); }) {
        if (!rule_.moves(y, score)) return false;
      }
      if (weight == 0.0) return false;
      return in_one_piece(x, [&](const auto& z) { return teach(rule_, lanes, merged_, z, y, score, weight); });
    });
  }

  void play_resolved(const Block& block, std::size_t begin, std::size_t end, Played<Rule>& played) {
    Resolved row;
    for (std::size_t r = begin; r < end; ++r) {
      at_row(r, [&] {
        resolve_row(block, r, features, known_.slots, row);
        const double seen = score(row);
        round(played, r, seen, [&](double y, double weight) {
          const bool changed = update(row, y, weight, seen);
          if (block.columns) remember_columns(block, r, row, known_.slots);
          return changed;
        });
      });
    }
  }

  Rule rule_;
  KnownColumns known_;
  KnownTable table_;
  mutable Merger merged_;
  Merger merged_again_;  // for a row that was scaled: the first one holds what it was made of
};

}  // namespace noregret
