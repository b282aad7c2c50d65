// Python's view of a multiclass learner.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "../multiclass.hpp"
#include "../refusal.hpp"
#include "class_labels.hpp"
#include "wrapped.hpp"

namespace noregret {

namespace nb = nanobind;

class Multiclass : public Wrapped<MulticlassLearner> {
 public:
  Multiclass(const std::string& rule, const Numbers& parameters, bool bias, const std::string& scale)
      : Wrapped(make_multiclass(rule, parameters, bias, scale_called(scale))) {}

  nb::dict score(nb::handle x) {
    const Turn turn(turns_);
    const std::vector<double>& scores = learner_->scores(read(x));
    nb::dict by_class;
    for (const std::uint32_t number : learner_->classes.sorted()) by_class[label(number)] = scores[number];
    return by_class;
  }

  nb::object predict(nb::handle x) {
    const Turn turn(turns_);
    const std::uint32_t number = learner_->leader(learner_->scores(read(x)));
    return number == kUnknown ? nb::none() : label(number);
  }

  bool learn(nb::handle x, nb::handle y, nb::handle given) {
    const Turn turn(turns_);
    const double weight = importance(given);
    // The label first: once the row has been read, no Python code may run that could take its names away.
    std::optional<Costs> told;
    std::optional<ClassLabel> right;
    if (PyMapping_Check(y.ptr()) && nb::hasattr(y, "keys")) {
      told = costs(y);
    } else if (!y.is_none()) {
      right = class_label(y);
    }
    Resolved& row = read(x);
    if (told) return learner_->learn_costs(row, *told, weight);
    if (right) return learner_->learn(row, *right, weight);
    learner_->scores(row);  // a bad row is refused, label or not
    return false;
  }

  // The classes of a stream, told before it begins.
  void announce(nb::handle labels) {
    const Turn turn(turns_);
    std::vector<ClassLabel> all;
    for (nb::handle one : nb::borrow<nb::iterable>(labels)) require_class(all.emplace_back(class_label(one)));
    for (const ClassLabel& one : all) learner_->join(one);
  }

  double loss(const nb::dict& scores, nb::handle y) const {
    const Turn turn(turns_);
    const ClassLabel right = class_label(y);
    double own = 0.0, best = 0.0;
    std::size_t others = 0;
    bool leads = false;  // strictly before every other, or on a tie the smallest
    std::map<ClassLabel, double> sorted;
    for (const auto& [key, value] : scores) sorted[class_label(key)] = nb::cast<double>(value);
    if (sorted.contains(right)) own = sorted[right];
    const ClassLabel* first = nullptr;
    for (const auto& [one, value] : sorted) {
      if (one == right) continue;
      if (others++ == 0 || value > best) best = value, first = &one;
    }
    leads = sorted.contains(right) && (others == 0 || own > best || (own == best && right < *first));
    return learner_->loss(others == 0 ? 0.0 : own - best, !leads, others == 0);
  }

  std::int64_t class_number(nb::handle y) const {
    if (y.is_none()) return -1;
    const ClassLabel label = class_label(y);  // may run Python code, and another thread meanwhile
    const std::uint32_t number = idle().classes.find(label);
    return number == kUnknown ? -1 : static_cast<std::int64_t>(number);
  }

  nb::list classes(bool sorted) const {
    turns_.require_free();
    return class_list(sorted);
  }

  nb::dict weights() const {
    const Turn turn(turns_);
    nb::dict all;
    const auto met = features_met();
    for (const std::uint32_t number : learner_->classes.sorted()) {
      nb::dict found;
      for (const auto& [slot, row] : met) {
        const double weight = learner_->weight(row, number);
        if (weight != 0.0) found[feature(slot)] = weight;
      }
      all[label(number)] = found;
    }
    return all;
  }

  nb::dict intercept() const {
    const Turn turn(turns_);
    nb::dict all;
    for (const std::uint32_t number : learner_->classes.sorted()) all[label(number)] = learner_->bias ? learner_->weight(0, number) : 0.0;
    return all;
  }

  void adopt(const Multiclass& other) { Wrapped::adopt(other); }

  nb::dict state() const;
  void restore(const nb::dict& state);

 private:
  nb::list class_list(bool sorted) const {
    nb::list all;
    const auto order = learner_->classes.sorted();
    for (std::uint32_t k = 0; k < order.size(); ++k) all.append(label(sorted ? order[k] : k));
    return all;
  }

  nb::object label(std::size_t number) const { return python_label(learner_->classes.at(number)); }

  // The slots that have a row in the grid, and that row.
  std::vector<std::pair<std::size_t, std::size_t>> features_met() const {
    std::vector<std::pair<std::size_t, std::size_t>> met;
    for (std::size_t slot = 0; slot < learner_->grid.slots(); ++slot) {
      const std::uint32_t row = learner_->grid.find(static_cast<std::ptrdiff_t>(slot));
      if (row != kUnknown) met.emplace_back(slot, row);
    }
    return met;
  }

  Costs costs(nb::handle y) const {
    Costs told;
    const nb::object dict = nb::borrow(reinterpret_cast<PyObject*>(&PyDict_Type))(y);
    for (const auto& [key, value] : nb::cast<nb::dict>(dict)) {
      const double cost = PyFloat_AsDouble(value.ptr());
      if (PyErr_Occurred()) PyErr_Clear(), throw Refusal("BadLabel", "a cost must be a number");
      if (!std::isfinite(cost)) throw Refusal("BadLabel", "a cost must be a finite number");
      told.emplace_back(class_label(key), cost);
      require_class(told.back().first);
    }
    if (told.empty()) throw Refusal("BadLabel", "there is no class among the costs; give a cost for every class");
    for (std::size_t c = 0; c < learner_->classes.size(); ++c) {
      const bool named = std::any_of(told.begin(), told.end(), [&](const auto& one) { return one.first == learner_->classes.at(c); });
      if (!named) throw Refusal("BadLabel", "the costs leave out the class " + shown(learner_->classes.at(c)) + "; give a cost for every class");
    }
    return told;
  }
};

}  // namespace noregret
