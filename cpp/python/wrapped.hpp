// What Python's views of the linear and of the multiclass learners have in common.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "../learned_rounds.hpp"
#include "../refusal.hpp"
#include "arrays.hpp"
#include "buffer.hpp"
#include "examples.hpp"
#include "rows.hpp"
#include "turn.hpp"

namespace noregret {

template <class Core>
class Wrapped {
 public:
  explicit Wrapped(std::unique_ptr<Core> learner) : learner_(std::move(learner)) {}
  Wrapped(const Wrapped&) = delete;

  bool has_bias() const { return learner_->bias; }
  double potential() const { return idle().potential(); }
  Numbers scalars() const { return idle().scalars(); }
  std::optional<std::uint64_t> rounds_learned() const { return idle().learned.count(); }

  void play(const Matrix& matrix, nanobind::handle labels, nanobind::handle weights, Tally& tally, nanobind::handle predictions, nanobind::handle scores) {
    const Turn turn(turns_);
    const LabelledRows rows(matrix, labels, weights);
    Outputs outputs(predictions, scores, rows.block.count);
    row_.forget_source();
    nanobind::gil_scoped_release release;
    learner_->play(rows.block, tally, outputs.said);
  }

  void score_rows(const Matrix& matrix, nanobind::handle predictions, nanobind::handle scores) {
    const Turn turn(turns_);
    const Block block = matrix.block();
    Outputs outputs(predictions, scores, block.count);
    nanobind::gil_scoped_release release;
    learner_->score_rows(block, outputs.said);
  }

  void adopt(const Wrapped& other) {
    turns_.require_free();
    require_same_rule(other.idle());
    become(other.idle().clone());
  }

  const Core& idle() const {
    turns_.require_free();
    return *learner_;
  }

 protected:
  // The example as the learner reads it. Python code may run meanwhile: have a turn.
  Resolved& read(nanobind::handle x) {
    resolve(x, learner_->features, last_, row_);
    return row_;
  }

  // How much a round counts; what is no finite number from 0 on is refused by the learner.
  static double importance(nanobind::handle weight) {
    if (PyFloat_CheckExact(weight.ptr())) return PyFloat_AS_DOUBLE(weight.ptr());
    const double number = PyFloat_AsDouble(weight.ptr());
    if (number != -1.0 || !PyErr_Occurred()) return number;
    PyErr_Clear();
    throw Refusal("BadInput", "the importance weight is " + nanobind::cast<std::string>(nanobind::repr(weight)) + "; it must be a finite number, 0 or more");
  }

  // The example that was read has been learned: its new names have slots.
  bool learned(bool changed) {
    last_.settle(row_);
    return changed;
  }

  void become(std::unique_ptr<Core> learner) {
    learner_ = std::move(learner);
    last_.forget();
    row_.forget_source();
  }

  // Sets the running numbers that were saved.
  static void restore_scalars(Core& learner, const Numbers& saved) {
    for (const auto& [name, value] : learner.scalars()) {
      if (!saved.contains(name)) throw Refusal("BadModel", "it does not hold the number " + name);
    }
    learner.set_scalars(saved);
  }

  // The count of learned rounds: one number, or none where it is not known.
  static void save_rounds(const Core& learner, nanobind::dict& state) {
    std::vector<std::int64_t> rounds;
    if (const auto count = learner.learned.count()) rounds.push_back(static_cast<std::int64_t>(*count));
    state["rounds_learned"] = given(std::move(rounds));
  }

  // Earlier versions saved no count: then it is 0 if every number is the first one, else unknown.
  static LearnedRounds saved_rounds(const nanobind::dict& state, bool has_first_numbers) {
    if (!state.contains("rounds_learned")) return has_first_numbers ? LearnedRounds() : LearnedRounds(std::nullopt);
    const Buffer rounds(state["rounds_learned"], "rounds_learned");
    if (rounds.length() == 0) return LearnedRounds(std::nullopt);
    const std::int64_t count = rounds.data<std::int64_t>()[0];
    if (rounds.length() > 1 || count < 0) throw Refusal("BadModel", "its number of learned rounds must be one whole number, 0 or more");
    return LearnedRounds(static_cast<std::uint64_t>(count));
  }

  static bool same_numbers(const Numbers& first, const Numbers& second) {
    return std::equal(first.begin(), first.end(), second.begin(), second.end(), [](const auto& a, const auto& b) {
      return a.first == b.first && (a.second == b.second || (std::isnan(a.second) && std::isnan(b.second)));
    });
  }

  // Python's parameters stay as they are, so the core's must, too. A threshold that the data settle (NaN before) may differ.
  void require_same_rule(const Core& other) const {
    const Numbers own = learner_->parameters(), theirs = other.parameters();
    const bool same = std::equal(own.begin(), own.end(), theirs.begin(), theirs.end(), [](const auto& a, const auto& b) {
      return a.first == b.first && (a.second == b.second || std::isnan(a.second) || std::isnan(b.second));
    });
    const bool alike = learner_->bias == other.bias && learner_->scaler.kind() == other.scaler.kind();
    if (same && alike && std::string(learner_->rule_name()) == other.rule_name()) return;
    throw Refusal("BadParameter", "a learner can adopt only one of its own kind with the same parameters; clone() makes another");
  }

  nanobind::object feature(std::size_t slot) const {
    if (learner_->features.kind != FeatureKind::name) return nanobind::int_(learner_->features.index_at(slot));
    const std::string_view name = learner_->features.names.at(slot);
    return nanobind::str(name.data(), name.size());
  }

  Turns turns_{"learner"};
  std::unique_ptr<Core> learner_;

 private:
  LastExample last_;
  Resolved row_;
};

}  // namespace noregret
