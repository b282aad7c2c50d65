// Python's view of a linear learner.
#include "bindings.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "feature_state.hpp"
#include "linear.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

// Slots at the end that hold nothing but initial values are left out.
std::size_t used_slots(const Learner& learner) {
  std::size_t used = learner.lanes.size();
  const auto fresh = [&](std::size_t slot) {
    for (std::size_t lane = 0; lane < learner.lanes.count(); ++lane) {
      if (learner.lanes[lane][slot] != learner.initial(lane)) return false;
    }
    return true;
  };
  while (used > 0 && fresh(used - 1)) --used;
  return used;
}

// The factors of the covariance, and the slots that their places stand for.
void save_factors(const Factors& factors, nb::dict& state) {
  std::vector<std::int64_t> slots(factors.slots().begin(), factors.slots().end());
  state["factors"] = given(factors.saved());
  state["factor_slots"] = given(std::move(slots));
}

void save_supports(const Supports& supports, nb::dict& state) {
  state["support_starts"] = copied(supports.starts().data(), supports.starts().size());
  state["support_slots"] = copied(supports.slots().data(), supports.slots().size());
  state["support_values"] = copied(supports.values().data(), supports.values().size());
  state["support_coefficients"] = copied(supports.coefficients().data(), supports.size());
}

}  // namespace

nb::dict Linear::state() const {
  const Turn turn(turns_);
  const Learner& learner = *learner_;
  const std::size_t used = used_slots(learner);
  nb::dict lanes, state;
  const auto names = learner.lane_names();
  for (std::size_t lane = 0; lane < names.size(); ++lane) {
    lanes[names[lane].c_str()] = copied(learner.lanes[lane] + kBias, used + 1);
  }
  state["scalars"] = learner.scalars();
  state["lanes"] = lanes;
  save_rounds(learner, state);
  save_features(learner.features, state);
  if (learner.has_matrix()) save_factors(learner.lanes.factors, state);
  if (learner.has_supports()) save_supports(learner.lanes.supports, state);
  return state;
}

namespace {

void restore_lanes(Learner& learner, const nb::dict& lanes) {
  const auto names = learner.lane_names();
  const std::size_t known = known_slots(learner.features);
  std::size_t slots = 0;
  if (lanes.size() != names.size()) throw Refusal("BadModel", "it does not hold the lanes of this learner");
  for (std::size_t lane = 0; lane < names.size(); ++lane) {
    if (!lanes.contains(names[lane].c_str())) throw Refusal("BadModel", "it has no lane called " + names[lane]);
    const Buffer values(lanes[names[lane].c_str()], "a lane");
    const auto* value = values.data<double>();
    const std::size_t length = values.length();
    if (lane == 0) slots = length;
    if (length == 0 || length != slots) throw Refusal("BadModel", "its lanes have different lengths");
    if (length - 1 > known) throw Refusal("BadModel", "it holds weights for features that it does not name");
    learner.lanes.grow(length - 1, [&](std::size_t k) { return learner.initial(k); });
    for (std::size_t k = 0; k < length; ++k) {
      if (!std::isfinite(value[k])) throw Refusal("BadModel", "a number in it is not finite");
      learner.lanes[lane][static_cast<std::ptrdiff_t>(k) + kBias] = value[k];
    }
  }
}

// The factors of the covariance. Versions that kept the covariance itself saved it as `matrix`, its lower triangle row by row.
void restore_factors(Learner& learner, const nb::dict& state) {
  const bool whole = state.contains("matrix"), factored = state.contains("factors");
  if (learner.has_matrix() != (whole || factored) || (whole && factored)) throw Refusal("BadModel", "it does not hold the matrix of this learner");
  if (!learner.has_matrix()) return;
  const Buffer matrix(state[whole ? "matrix" : "factors"], "matrix"), slots(state[whole ? "matrix_slots" : "factor_slots"], "matrix_slots");
  const std::size_t size = slots.length();
  if (size > Factors::kMost || matrix.length() != size * (size + 1) / 2) throw Refusal("BadModel", "its matrix does not fit its features");
  const auto known = static_cast<std::int64_t>(known_slots(learner.features));
  const auto* number = matrix.data<double>();
  Factors& factors = learner.lanes.factors;
  for (std::size_t place = 0; place < size; ++place) {
    const std::int64_t slot = slots.data<std::int64_t>()[place];
    if (slot < kBias || slot >= known || factors.has(slot)) throw Refusal("BadModel", "its matrix does not fit its features");
    factors.add(slot, 1.0);
    learner.lanes.grow(static_cast<std::size_t>(slot + 1), [&](std::size_t k) { return learner.initial(k); });
    for (std::size_t k = 0; k <= place; ++k, ++number) {
      if (!std::isfinite(*number)) throw Refusal("BadModel", "a number in it is not finite");
    }
    if (factored && number[-1] <= 0.0) throw Refusal("BadModel", "a variance in it is not above 0");
  }
  if (factored) return factors.restore(matrix.data<double>());
  factors.factor({matrix.data<double>(), matrix.data<double>() + matrix.length()});
}

// One kept example, with everything about it checked.
void restore_support(Learner& learner, const SparseRow<double, std::int64_t>& row, double coefficient) {
  const auto known = static_cast<std::int64_t>(known_slots(learner.features));
  double square = 0.0;
  for (std::size_t k = 0; k < row.size; ++k) {
    if (row.slots[k] < (learner.bias ? kBias : 0) || row.slots[k] >= known) throw Refusal("BadModel", "its examples do not fit its features");
    learner.lanes.grow(static_cast<std::size_t>(row.slots[k] + 1), [&](std::size_t lane) { return learner.initial(lane); });
    square += row.values[k] * row.values[k];
  }
  if (!std::isfinite(square + coefficient)) throw Refusal("BadModel", "a number in it is not finite");
  learner.lanes.supports.add(coefficient, row, square);
}

void restore_supports(Learner& learner, const nb::dict& state) {
  if (learner.has_supports() != state.contains("support_starts")) throw Refusal("BadModel", "it does not hold the examples of this learner");
  if (!learner.has_supports()) return;
  const Buffer starts(state["support_starts"], "support_starts"), slots(state["support_slots"], "support_slots");
  const Buffer values(state["support_values"], "support_values"), coefficients(state["support_coefficients"], "support_coefficients");
  const auto* start = starts.data<std::int64_t>();
  const std::size_t size = coefficients.length(), length = slots.length();
  bool sound = starts.length() == size + 1 && start[0] == 0 && values.length() == length;
  for (std::size_t k = 0; sound && k < size; ++k) sound = start[k] <= start[k + 1];
  if (!sound || start[size] != static_cast<std::int64_t>(length)) throw Refusal("BadModel", "its examples do not fit their table");
  for (std::size_t k = 0; k < size; ++k) {
    const auto begin = static_cast<std::size_t>(start[k]), end = static_cast<std::size_t>(start[k + 1]);
    restore_support(learner, {values.data<double>() + begin, slots.data<std::int64_t>() + begin, end - begin, false}, coefficients.data<double>()[k]);
  }
}

// Whether every number is still the first one and no feature was met; `made` is a new learner of the same rule.
bool has_first_numbers(const Learner& learner, const Learner& made) {
  if (learner.features.kind != FeatureKind::none || learner.lanes.factors.size() > 0 || learner.lanes.supports.size() > 0) return false;
  for (std::size_t lane = 0; lane < learner.lanes.count(); ++lane) {
    const double* numbers = learner.lanes[lane];
    const double first = made.initial(lane);
    if (std::any_of(numbers + kBias, numbers + learner.lanes.size(), [&](double number) { return number != first; })) return false;
  }
  return true;
}

}  // namespace

void Linear::restore(const nb::dict& state) {
  const Turn turn(turns_);
  Numbers numbers = learner_->parameters();
  auto fresh = make_learner(learner_->rule_name(), numbers, learner_->bias, learner_->scaler.kind());
  restore_scalars(*fresh, nb::cast<Numbers>(state["scalars"]));
  fresh->lanes.wipe([&](std::size_t lane) { return fresh->initial(lane); });  // which the numbers may decide
  restore_features(fresh->features, state);
  restore_lanes(*fresh, nb::cast<nb::dict>(state["lanes"]));
  restore_factors(*fresh, state);
  restore_supports(*fresh, state);
  const auto made = make_learner(fresh->rule_name(), numbers, fresh->bias, fresh->scaler.kind());
  fresh->learned = saved_rounds(state, same_numbers(fresh->scalars(), made->scalars()) && has_first_numbers(*fresh, *made));
  become(std::move(fresh));
}

void bind_linear(nb::module_& m) {
  nb::class_<Linear>(m, "Linear", "A linear learner: lanes of numbers by feature, and a rule.")
      .def(nb::init<const std::string&, const Numbers&, bool, const std::string&>(), "rule"_a, "parameters"_a, "bias"_a, "scale"_a = "none")
      .def("score", &Linear::score, "x"_a.none(), "The number whose sign, or whose side of the threshold, is the prediction.")
      .def("predict", &Linear::predict, "x"_a.none(), "−1.0 or +1.0. Changes nothing.")
      .def("learn", &Linear::learn, "x"_a.none(), "y"_a.none(), "weight"_a.none() = 1.0,
           nb::sig("def learn(self, x: object | None, y: object | None, weight: float = 1.0) -> bool"),
           "Learns that the label of x is y; True when the weights changed. A label of None teaches nothing.")
      .def("rehearse", &Linear::rehearse, "x"_a.none(), "y"_a, "weight"_a = 1.0, "Raises what learn would raise, and changes nothing.")
      .def("learn_late", &Linear::learn_late, "x"_a.none(), "y"_a.none(), "score"_a, "weight"_a.none() = 1.0,
           nb::sig("def learn_late(self, x: object | None, y: object | None, score: float, weight: float = 1.0) -> bool"),
           "Learns a label that comes late; `score` is what the learner said when it predicted x.")
      .def("decide", &Linear::decide, "score"_a, "The prediction that goes with a score.")
      .def("loss_of", &Linear::loss, "score"_a, "y"_a, "What the learner suffers for this score when the label is y.")
      .def("play_matrix", &Linear::play, "matrix"_a, "labels"_a, "weights"_a.none(), "tally"_a, "predictions"_a.none(), "scores"_a.none(),
           "Predict, then learn, row after row.")
      .def("score_matrix", &Linear::score_rows, "matrix"_a, "predictions"_a.none(), "scores"_a.none(), "Predict every row and learn nothing.")
      .def_prop_ro("weights", &Linear::weights, nb::for_getter(nb::sig("def weights(self) -> dict[int | str, float]")),
                   "The weights that have moved from their initial value, by feature.")
      .def_prop_ro("intercept", &Linear::intercept, "The weight of the bias; 0.0 without one.")
      .def_prop_ro("initial_weight", &Linear::initial_weight, "The weight of a feature that has not been met.")
      .def_prop_ro("has_bias", &Linear::has_bias, "Whether a feature that is always 1 is part of every row.")
      .def_prop_ro("potential", &Linear::potential, "The quantity that the proof of its theorem follows.")
      .def_prop_ro("variances", &Linear::variances,
                   "The diagonal D of the factors U·D·Uᵀ of a full covariance, in the order in which features were met; empty without one.")
      .def_prop_ro("initial_variance", &Linear::initial_variance, "The variance of a feature that has not been met, where there are variances; else 1.0.")
      .def_prop_ro("scalars", &Linear::scalars, "The running numbers of the rule.")
      .def_prop_ro("rounds_learned", &Linear::rounds_learned,
                   "The number of labelled rounds of a weight above 0 that it has learned; None where an older model file did not keep it.")
      .def("adopt", &Linear::adopt, "other"_a, "Becomes a copy of another learner.")
      .def("state", &Linear::state, nb::sig("def state(self) -> dict[str, typing.Any]"), "Everything there is to save.")
      .def("restore", &Linear::restore, "state"_a, nb::sig("def restore(self, state: dict[str, typing.Any]) -> None"), "Becomes what state() described.");
}

}  // namespace noregret
