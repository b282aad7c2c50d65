// Python's view of a linear learner.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>

#include "../group/group.hpp"
#include "../learner.hpp"
#include "../refusal.hpp"
#include "wrapped.hpp"

namespace noregret {

namespace nb = nanobind;

class Linear : public Wrapped<Learner> {
 public:
  Linear(const std::string& rule, const Numbers& parameters, bool bias, const std::string& scale)
      : Wrapped(make_learner(rule, parameters, bias, scale_called(scale))) {}

  double score(nb::handle x) {
    const Turn turn(turns_);
    return scored(read(x));
  }

  double predict(nb::handle x) { return learner_->predict(score(x)); }

  bool learn(nb::handle x, nb::handle y, nb::handle weight) { return learn_said(x, y, {}, importance(weight)); }

  bool learn_late(nb::handle x, nb::handle y, double score, nb::handle weight) {
    if (!std::isfinite(score)) throw Refusal("BadInput", "the score that was given must be a finite number");
    return learn_said(x, y, score, importance(weight));
  }

  void play(const Matrix& matrix, nb::handle labels, nb::handle weights, Tally& tally, nb::handle predictions, nb::handle scores) {
    if (matrix.block().classes != nullptr) throw Refusal("BadLabel", "the labels are classes, and this learner takes none; multiclass-perceptron and its kin do");
    Wrapped::play(matrix, labels, weights, tally, predictions, scores);
  }

  void rehearse(nb::handle x, double y, double weight) {
    const Turn turn(turns_);
    learner_->rehearse(read(x), y, weight);
  }

  double decide(double score) const { return idle().predict(score); }
  double loss(double score, double y) const { return idle().loss(score, y); }
  double initial_weight() const { return idle().fresh_weight(); }
  double initial_variance() const { return idle().initial_variance(); }
  nb::object variances() const {
    const Turn turn(turns_);
    std::vector<double> numbers;
    for (std::size_t place = 0; place < learner_->lanes.factors.size(); ++place) numbers.push_back(learner_->lanes.factors.variance(place));
    return given(std::move(numbers));
  }
  double intercept() const { return idle().bias ? learner_->weight(kBias) : 0.0; }

  nb::dict weights() const {
    const Turn turn(turns_);
    nb::dict found;
    const double fresh = learner_->fresh_weight();
    for (std::size_t slot = 0; slot < learner_->lanes.size(); ++slot) {
      const double weight = learner_->weight(static_cast<std::ptrdiff_t>(slot));
      if (weight != fresh) found[feature(slot)] = weight;
    }
    return found;
  }

  void adopt(const Linear& other) { Wrapped::adopt(other); }

  // Becomes what a member of a group is.
  void take(const Group& group, std::size_t member) {
    turns_.require_free();
    auto fresh = make_learner(learner_->rule_name(), learner_->parameters(), learner_->bias, learner_->scaler.kind());
    group.write(member, *fresh);
    become(std::move(fresh));
  }

  nb::dict state() const;
  void restore(const nb::dict& state);

 private:
  bool learn_said(nb::handle x, nb::handle y, std::optional<double> said, double weight) {
    const Turn turn(turns_);
    // The label first: once the row has been read, no Python code may run that could take its names away.
    const std::optional<double> known = y.is_none() ? std::nullopt : std::optional(label(y));
    Resolved& row = read(x);
    const double now = scored(row);  // a bad row is refused, label or not
    return known && learned(learner_->learn(row, *known, weight, said.value_or(now)));
  }

  double scored(Resolved& row) const {
    if (!row.score) row.score = learner_->score(row);
    return *row.score;
  }

  double label(nb::handle y) const {
    const double label = PyFloat_AsDouble(y.ptr());
    if (label == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      throw Refusal("BadLabel", "the label is " + nb::cast<std::string>(nb::repr(y)) +
                                    (learner_->predicts_numbers() ? "; this learner takes numbers" : "; this learner takes -1 and +1 (multiclass-perceptron and its kin take classes)"));
    }
    return label;
  }
};

}  // namespace noregret
