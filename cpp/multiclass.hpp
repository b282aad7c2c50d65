// A multiclass learner as the rest of the core sees it: features, classes, a grid and a hidden rule.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "classes.hpp"
#include "features.hpp"
#include "grid.hpp"
#include "learned_rounds.hpp"
#include "learner.hpp"
#include "tally.hpp"

namespace noregret {

// Written where a prediction is a class that the labels of the block do not list, or none at all.
inline constexpr double kNothing = std::numeric_limits<double>::infinity();

using Costs = std::vector<std::pair<ClassLabel, double>>;

class MulticlassLearner {
 public:
  MulticlassLearner(std::vector<double> initial, bool bias) : bias(bias), grid(std::move(initial)) {}
  virtual ~MulticlassLearner() = default;

  virtual std::unique_ptr<MulticlassLearner> clone() const = 0;
  virtual std::string rule_name() const = 0;
  virtual std::vector<std::string> lane_names() const = 0;
  virtual Numbers parameters() const = 0;
  virtual Numbers scalars() const = 0;
  virtual void set_scalars(const Numbers& numbers) = 0;
  virtual double weight(std::size_t row, std::size_t number) const = 0;
  virtual double potential() const = 0;
  // What is suffered when the right class leads the best other one by `margin`; nothing when there is no other.
  virtual double loss(double margin, bool mistaken, bool alone) const = 0;

  // The scores of the classes, by their numbers; valid until the next call. Nothing changes.
  virtual const std::vector<double>& scores(Resolved& row) const = 0;
  virtual bool learn(Resolved& row, const ClassLabel& right, double weight) = 0;
  // The cheapest class is right; a wrong one counts as much as it cost too much.
  virtual bool learn_costs(Resolved& row, const Costs& costs, double weight) = 0;

  virtual void play(const Block& block, Tally& tally, const Said& said) = 0;
  virtual void score_rows(const Block& block, const Said& said) const = 0;

  // The class with the largest score, a tie to the smallest class; kUnknown when there is none.
  std::uint32_t leader(const std::vector<double>& scores, std::uint32_t but = kUnknown) const {
    std::uint32_t best = kUnknown;
    for (std::uint32_t c = 0; c < scores.size(); ++c) {
      if (c == but) continue;
      if (best == kUnknown || scores[c] > scores[best] || (scores[c] == scores[best] && classes.rank(c) < classes.rank(best))) best = c;
    }
    return best;
  }

  void join(const ClassLabel& label) {
    classes.add(label);
    grid.widen(classes.size());
  }

  // From the first round on every row is scaled before the rule sees it.
  void scale_rows(Scale kind) {
    scaler = Scaler(kind, 0);
    statistics = Lanes(scaler.lane_names().size());
    grow_statistics(0);
  }
  // What the scaler met of each feature has room for so many slots.
  void grow_statistics(std::size_t slots) {
    if (statistics.count() > 0) statistics.grow(slots, [](std::size_t) { return 0.0; });
  }

  bool bias;
  mutable Scaler scaler;  // its room is used while a row is looked at
  Lanes statistics{0};
  Grid grid;
  Features features;
  Classes classes;
  LearnedRounds learned;
};

std::unique_ptr<MulticlassLearner> make_multiclass(const std::string& rule, const Numbers& parameters, bool bias, Scale scale);

}  // namespace noregret
