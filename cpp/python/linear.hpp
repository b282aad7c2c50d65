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
#include "arrays.hpp"
#include "buffer.hpp"
#include "examples.hpp"
#include "matrix.hpp"
#include "outputs.hpp"

namespace noregret {

namespace nb = nanobind;

class Linear {
 public:
  Linear(const Linear&) = delete;
  Linear(const std::string& rule, const Numbers& parameters, bool bias, const std::string& scale)
      : learner_(make_learner(rule, parameters, bias, scale_called(scale))) {}

  double score(nb::handle x) {
    require_idle();
    resolve(x, learner_->features, cache_, row_);
    return learner_->score(row_);
  }

  double predict(nb::handle x) { return learner_->predict(score(x)); }

  bool learn(nb::handle x, nb::handle y, double weight) { return learn_said(x, y, {}, weight); }

  bool learn_late(nb::handle x, nb::handle y, double score, double weight) {
    if (!std::isfinite(score)) throw Refusal("BadInput", "the score that was given must be a finite number");
    return learn_said(x, y, score, weight);
  }

  bool learn_said(nb::handle x, nb::handle y, std::optional<double> said, double weight) {
    require_idle();
    resolve(x, learner_->features, cache_, row_);
    if (y.is_none()) {
      learner_->score(row_);  // a bad row is refused, label or not
      return false;
    }
    const double label = PyFloat_AsDouble(y.ptr());
    if (label == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      throw Refusal("BadLabel", "the label is " + nb::cast<std::string>(nb::repr(y)) +
                                    (learner_->predicts_numbers() ? "; this learner takes numbers" : "; this learner takes -1 and +1 (multiclass-perceptron and its kin take classes)"));
    }
    return learner_->learn(row_, label, weight, said);
  }

  void rehearse(nb::handle x, double y, double weight) {
    require_idle();
    resolve(x, learner_->features, cache_, row_);
    learner_->rehearse(row_, y, weight);
  }

  double decide(double score) const { return idle().predict(score); }
  double loss(double score, double y) const { return idle().loss(score, y); }
  double potential() const { return idle().potential(); }
  Numbers scalars() const { return idle().scalars(); }
  bool has_bias() const { return learner_->bias; }
  double initial_weight() const { return idle().fresh_weight(); }
  double intercept() const { return idle().bias ? learner_->weight(kBias) : 0.0; }

  void play(const Matrix& matrix, nb::handle labels, nb::handle weights, Tally& tally, nb::handle predictions, nb::handle scores) {
    const Idle idle(*this);
    const Buffer label_buffer(labels, "labels");
    Block block = matrix.block();
    block.labels = sized<const double>(label_buffer, block.count);
    if (block.classes != nullptr) throw Refusal("BadLabel", "the labels are classes, and this learner takes none; multiclass-perceptron and its kin do");
    std::optional<Buffer> weight_buffer;
    if (!weights.is_none()) block.weights = sized<const double>(weight_buffer.emplace(weights, "weights"), block.count);
    Outputs outputs(predictions, scores, block.count);
    nb::gil_scoped_release release;
    learner_->play(block, tally, outputs.said);
  }

  void score_rows(const Matrix& matrix, nb::handle predictions, nb::handle scores) {
    const Idle idle(*this);
    const Block block = matrix.block();
    Outputs outputs(predictions, scores, block.count);
    nb::gil_scoped_release release;
    learner_->score_rows(block, outputs.said);
  }

  nb::dict weights() const {
    require_idle();
    nb::dict found;
    const double fresh = learner_->fresh_weight();
    for (std::size_t slot = 0; slot < learner_->lanes.size(); ++slot) {
      const double weight = learner_->weight(static_cast<std::ptrdiff_t>(slot));
      if (weight != fresh) found[feature(slot)] = weight;
    }
    return found;
  }

  void adopt(const Linear& other) {
    require_idle();
    other.require_idle();
    learner_ = other.learner_->clone();
    cache_.forget();
  }

  // Becomes what a member of a group is.
  void take(const Group& group, std::size_t member) {
    require_idle();
    auto fresh = make_learner(learner_->rule_name(), learner_->parameters(), learner_->bias, learner_->scaler.kind());
    group.write(member, *fresh);
    learner_ = std::move(fresh);
    cache_.forget();
  }

  const Learner& idle() const {
    require_idle();
    return *learner_;
  }

  nb::dict state() const;
  void restore(const nb::dict& state);

 private:
  // Holds the learner while the GIL is away.
  struct Idle {
    explicit Idle(Linear& linear) : learner(*linear.learner_) {
      linear.require_idle();
      learner.busy = true;
    }
    ~Idle() { learner.busy = false; }
    Learner& learner;
  };

  void require_idle() const {
    if (learner_->busy) throw Refusal("BusyLearner", "another thread is using this learner; give each thread its own clone");
  }

  nb::object feature(std::size_t slot) const {
    if (learner_->features.kind != FeatureKind::name) return nb::int_(learner_->features.index_at(slot));
    const std::string_view name = learner_->features.names.at(slot);
    return nb::str(name.data(), name.size());
  }

  std::unique_ptr<Learner> learner_;
  KeyCache cache_;
  Resolved row_;
};

}  // namespace noregret
