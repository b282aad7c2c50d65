// Learners of one rule side by side: an example's features are read once, and the numbers that the members keep for a
// feature lie next to each other and go through vector instructions. To the bit what each of them would do alone.
#pragma once

#include <memory>
#include <vector>

#include "../learner.hpp"
#include "../refusal.hpp"
#include "../require.hpp"
#include "../rules/learning.hpp"
#include "columns.hpp"
#include "kernels.hpp"

namespace noregret {

class Group {
 public:
  Group(const Learner& like, std::size_t members, std::size_t lanes)
      : members(members), features(like.features), scaler(like.scaler), before(members), bias_(like.bias), columns_(members, lanes),
        statistics_(1) {}
  virtual ~Group() = default;

  virtual std::unique_ptr<Group> clone() const = 0;
  virtual void write(std::size_t member, Learner& learner) const = 0;

  // What every member says; nothing changes.
  virtual void predict(Resolved& row, double* said) = 0;
  virtual void learn(Resolved& row, double y, double weight) = 0;
  virtual void undo() = 0;  // the last learn()

  // Predict, then learn, row after row, as Learner::play does; said[m·rows + r] is what member m says of row r.
  virtual void play(const Block& block, double* said) = 0;
  virtual void predict_rows(const Block& block, double* said) = 0;

  LearnedRounds rounds_learned(std::size_t member) const {
    LearnedRounds rounds = before[member];
    rounds.add(learned_);
    return rounds;
  }

  std::size_t members;
  Features features;
  Scaler scaler;
  std::vector<LearnedRounds> before;  // what each member had learned when it joined

 protected:
  bool bias_;
  Columns columns_;
  Lanes statistics_;  // of the scaler: one lane too many, so that there is always one
  std::uint64_t learned_ = 0;  // labelled rounds since then
};

}  // namespace noregret
