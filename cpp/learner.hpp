// A learner as the rest of the core sees it: features, lanes and a rule whose type is hidden.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "classes.hpp"
#include "columns.hpp"
#include "features.hpp"
#include "lanes.hpp"
#include "learned_rounds.hpp"
#include "refusal.hpp"
#include "rows.hpp"
#include "scaler.hpp"
#include "tally.hpp"

namespace noregret {

// A block of rounds.
struct Block {
  Rows rows;
  std::int64_t width = -1;  // −1 when the text does not tell
  ColumnNames columns;
  const std::vector<ClassLabel>* classes = nullptr;  // what the labels stand for, if they are places in a list
  const double* labels = nullptr;   // −1 and +1, places of classes, or numbers; NaN for "no label"
  const double* weights = nullptr;  // null: every round counts 1
  std::size_t count = 0;
};

// Where to write what was said; either may be null.
struct Said {
  double* predictions = nullptr;
  double* scores = nullptr;
};

using Numbers = std::map<std::string, double>;

class Group;

class Learner {
 public:
  Learner(std::size_t lanes, bool bias) : bias(bias), lanes(lanes) {}
  virtual ~Learner();

  virtual std::unique_ptr<Learner> clone() const = 0;
  virtual const char* rule_name() const = 0;
  // Learners of this kind side by side; null when they cannot stand so.
  virtual std::unique_ptr<Group> group(const std::vector<const Learner*>& members) const = 0;
  bool stands_beside(const Learner& other) const;
  virtual std::vector<std::string> lane_names() const = 0;
  virtual Numbers parameters() const = 0;
  virtual Numbers scalars() const = 0;
  virtual void set_scalars(const Numbers& numbers) = 0;
  virtual double initial(std::size_t lane) const = 0;
  virtual bool predicts_numbers() const = 0;
  virtual bool has_matrix() const = 0;
  virtual bool has_supports() const = 0;
  virtual double initial_variance() const = 0;  // of a feature not met; 1 where no variances are kept
  virtual double weight(std::ptrdiff_t slot) const = 0;  // what ⟨w, x⟩ multiplies a value by
  virtual double predict(double score) const = 0;
  virtual double loss(double score, double y) const = 0;
  virtual double potential() const = 0;

  double fresh_weight() const { return weight(static_cast<std::ptrdiff_t>(lanes.size())); }

  // The row is looked up already; nothing changes.
  virtual double score(Resolved& row) const = 0;
  // After score(), which refuses a bad row; `said` is the score that was given when the label was asked for.
  virtual bool learn(Resolved& row, double y, double weight, double said) = 0;

  // Throws what learn() would throw, and changes nothing.
  virtual void rehearse(Resolved& row, double y, double weight) const = 0;

  // Predict, then learn, row after row. On a bad row: Refusal with its number; the rows before it
  // have been learned and counted, it and those after it have not.
  virtual void play(const Block& block, Tally& tally, const Said& said) = 0;
  virtual void score_rows(const Block& block, const Said& said) const = 0;

  // From the first round on every row is scaled before the rule sees it.
  void scale_rows(Scale kind) {
    scaler = Scaler(kind, lanes.count());
    lanes.add(scaler.lane_names().size());
  }

  bool bias;
  mutable Scaler scaler;  // its room is used while a row is looked at
  Lanes lanes;
  Features features;
  LearnedRounds learned;
};

std::unique_ptr<Learner> make_learner(const std::string& rule, const Numbers& parameters, bool bias, Scale scale);

}  // namespace noregret
