// Python's view of a multiclass learner: what is saved of it, and what it is called.
#include "multiclass.hpp"

#include "bindings.hpp"
#include "feature_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {

// Classes are saved in their order and features in theirs, so that a file does not tell in which order they came.
namespace {

// A feature that is saved, and its row in the grid, if it has one.
struct Kept {
  std::size_t slot;
  std::uint32_t row;
};

bool is_fresh(const Grid& grid, std::uint32_t row, const std::vector<std::uint32_t>& classes) {
  for (std::size_t lane = 0; row != kUnknown && lane < grid.count(); ++lane) {
    for (const std::uint32_t number : classes) {
      if (grid.at(lane, row)[number] != grid.initial(lane)) return false;
    }
  }
  return true;
}

bool was_scaled(const Lanes& statistics, std::size_t slot) {
  if (statistics.count() == 0 || slot >= statistics.size()) return false;
  for (std::size_t lane = 0; lane < statistics.count(); ++lane) {
    if (statistics[lane][slot] != 0.0) return true;
  }
  return false;
}

std::vector<Kept> kept_features(const MulticlassLearner& learner, const std::vector<std::uint32_t>& classes) {
  std::vector<Kept> kept;
  const std::size_t scaled = learner.statistics.count() == 0 ? 0 : learner.statistics.size();
  for (std::size_t slot = 0; slot < std::max(learner.grid.slots(), scaled); ++slot) {
    const std::uint32_t row = learner.grid.find(static_cast<std::ptrdiff_t>(slot));
    if (!is_fresh(learner.grid, row, classes) || was_scaled(learner.statistics, slot)) kept.push_back({slot, row});
  }
  return kept;
}

}  // namespace

nb::dict Multiclass::state() const {
  const Turn turn(turns_);
  const MulticlassLearner& learner = *learner_;
  const auto order = learner.classes.sorted();
  const auto kept = kept_features(learner, order);
  std::vector<std::int64_t> slots;
  for (const Kept& one : kept) slots.push_back(static_cast<std::int64_t>(one.slot));
  nb::dict lanes, state;
  const auto names = learner.lane_names();
  for (std::size_t lane = 0; lane < names.size(); ++lane) {
    std::vector<double> values;
    for (const std::uint32_t number : order) values.push_back(learner.grid.at(lane, 0)[number]);
    for (const Kept& one : kept) {
      for (const std::uint32_t number : order) {
        values.push_back(one.row == kUnknown ? learner.grid.initial(lane) : learner.grid.at(lane, one.row)[number]);
      }
    }
    lanes[names[lane].c_str()] = given(std::move(values));
  }
  const auto scaled = learner.scaler.lane_names();
  for (std::size_t lane = 0; lane < scaled.size(); ++lane) {
    std::vector<double> values{learner.statistics[lane][kBias]};
    for (const Kept& one : kept) values.push_back(one.slot < learner.statistics.size() ? learner.statistics[lane][one.slot] : 0.0);
    lanes[scaled[lane].c_str()] = given(std::move(values));
  }
  state["scalars"] = learner.scalars();
  state["lanes"] = lanes;
  save_rounds(learner, state);
  state["slots"] = given(std::move(slots));
  state["classes"] = class_list(true);
  save_features(learner.features, state);
  return state;
}

namespace {

// A lane of the file: so many finite numbers.
std::vector<double> lane_of(const nb::dict& lanes, const std::string& name, std::size_t length) {
  if (!lanes.contains(name.c_str())) throw Refusal("BadModel", "it has no lane called " + name);
  const Buffer values(lanes[name.c_str()], "a lane");
  const auto* first = values.data<double>();
  if (values.length() != length) throw Refusal("BadModel", "its lanes do not fit its features and classes");
  if (!std::all_of(first, first + length, [](double value) { return std::isfinite(value); })) {
    throw Refusal("BadModel", "a number in it is not finite");
  }
  return {first, first + length};
}

void restore_grid(MulticlassLearner& learner, const nb::dict& state) {
  const Buffer slots(state["slots"], "slots");
  const auto* slot = slots.data<std::int64_t>();
  for (std::size_t k = 0; k < slots.length(); ++k) {
    const bool rising = slot[k] > (k == 0 ? -1 : slot[k - 1]);
    if (!rising || static_cast<std::size_t>(slot[k]) >= known_slots(learner.features)) {
      throw Refusal("BadModel", "it holds weights for features that it does not name");
    }
    learner.grid.meet(static_cast<std::ptrdiff_t>(slot[k]));
  }
  const auto lanes = nb::cast<nb::dict>(state["lanes"]);
  const auto names = learner.lane_names(), scaled = learner.scaler.lane_names();
  const std::size_t rows = slots.length() + 1, classes = learner.classes.size();
  if (lanes.size() != names.size() + scaled.size()) throw Refusal("BadModel", "it does not hold the lanes of this learner");
  for (std::size_t lane = 0; lane < names.size(); ++lane) {
    const auto values = lane_of(lanes, names[lane], rows * classes);
    for (std::size_t row = 0; row < rows; ++row) std::copy_n(values.data() + row * classes, classes, learner.grid.at(lane, row));
  }
  if (slots.length() > 0) learner.grow_statistics(static_cast<std::size_t>(slot[slots.length() - 1]) + 1);
  for (std::size_t lane = 0; lane < scaled.size(); ++lane) {
    const auto values = lane_of(lanes, scaled[lane], rows);
    learner.statistics[lane][kBias] = values[0];
    for (std::size_t k = 0; k < slots.length(); ++k) learner.statistics[lane][slot[k]] = values[k + 1];
  }
}

// Whether every number is still the first one and no feature was met; classes may have been announced.
bool has_first_numbers(const MulticlassLearner& learner) {
  const auto classes = learner.classes.sorted();
  for (std::size_t lane = 0; lane < learner.statistics.count(); ++lane) {
    if (learner.statistics[lane][kBias] != 0.0) return false;
  }
  return learner.features.kind == FeatureKind::none && is_fresh(learner.grid, 0, classes) && kept_features(learner, classes).empty();
}

}  // namespace

void Multiclass::restore(const nb::dict& state) {
  const Turn turn(turns_);
  Numbers numbers = learner_->parameters();
  auto fresh = make_multiclass(learner_->rule_name(), numbers, learner_->bias, learner_->scaler.kind());
  restore_scalars(*fresh, nb::cast<Numbers>(state["scalars"]));
  for (nb::handle one : nb::borrow<nb::iterable>(state["classes"])) {
    const std::size_t before = fresh->classes.size();
    fresh->join(class_label(one));
    if (fresh->classes.size() == before) throw Refusal("BadModel", "a class stands in it twice");
  }
  restore_features(fresh->features, state);
  restore_grid(*fresh, state);
  const auto made = make_multiclass(fresh->rule_name(), numbers, fresh->bias, fresh->scaler.kind());
  fresh->learned = saved_rounds(state, same_numbers(fresh->scalars(), made->scalars()) && has_first_numbers(*fresh));
  become(std::move(fresh));
}

void bind_multiclass(nb::module_& m) {
  nb::class_<Multiclass>(m, "Multiclass", "A learner of several classes: for each feature a number for every class, and a rule.")
      .def(nb::init<const std::string&, const Numbers&, bool, const std::string&>(), "rule"_a, "parameters"_a, "bias"_a, "scale"_a = "none")
      .def("score", &Multiclass::score, "x"_a.none(), nb::sig("def score(self, x: object | None) -> dict[int | str, float]"),
           "The score of every class, by class, the smallest first.")
      .def("predict", &Multiclass::predict, "x"_a.none(), nb::sig("def predict(self, x: object | None) -> int | str | None"),
           "The class with the largest score, a tie to the smallest; None while no class is known. Changes nothing.")
      .def("learn", &Multiclass::learn, "x"_a.none(), "y"_a.none(), "weight"_a.none() = 1.0,
           nb::sig("def learn(self, x: object | None, y: object | None, weight: float = 1.0) -> bool"),
           "Learns that the class of x is y, or what every class costs (a dict); True when the weights changed. None teaches nothing.")
      .def("announce", &Multiclass::announce, "classes"_a, "Makes classes known before they are seen; they start at zero.")
      .def("loss_of", &Multiclass::loss, "scores"_a, "y"_a, nb::sig("def loss_of(self, scores: dict[int | str, float], y: object) -> float"),
           "What the learner suffers for these scores when the class is y.")
      .def("class_number", &Multiclass::class_number, "y"_a.none(), "The place of a class in the order in which they joined; −1 for none.")
      .def("play_matrix", &Multiclass::play, "matrix"_a, "labels"_a, "weights"_a.none(), "tally"_a, "predictions"_a.none(), "scores"_a.none(),
           "Predict, then learn, row after row.")
      .def("score_matrix", &Multiclass::score_rows, "matrix"_a, "predictions"_a.none(), "scores"_a.none(), "Predict every row and learn nothing.")
      .def_prop_ro("classes", [](const Multiclass& learner) { return learner.classes(true); }, nb::for_getter(nb::sig("def classes(self) -> list[int | str]")),
                   "The classes known, the smallest first; numbers come before words.")
      .def_prop_ro("joined", [](const Multiclass& learner) { return learner.classes(false); }, nb::for_getter(nb::sig("def joined(self) -> list[int | str]")),
                   "The classes in the order in which they joined.")
      .def_prop_ro("weights", &Multiclass::weights, nb::for_getter(nb::sig("def weights(self) -> dict[int | str, dict[int | str, float]]")),
                   "The weights other than 0, by class, then by feature.")
      .def_prop_ro("intercept", &Multiclass::intercept, nb::for_getter(nb::sig("def intercept(self) -> dict[int | str, float]")),
                   "The weight of the bias, by class.")
      .def_prop_ro("has_bias", &Multiclass::has_bias, "Whether a feature that is always 1 is part of every row.")
      .def_prop_ro("potential", &Multiclass::potential, "The quantity that the proof of its theorem follows.")
      .def_prop_ro("scalars", &Multiclass::scalars, "The running numbers of the rule.")
      .def_prop_ro("rounds_learned", &Multiclass::rounds_learned,
                   "The number of labelled rounds of a weight above 0 that it has learned; None where an older model file did not keep it.")
      .def("adopt", &Multiclass::adopt, "other"_a, "Becomes a copy of another learner.")
      .def("state", &Multiclass::state, nb::sig("def state(self) -> dict[str, typing.Any]"), "Everything there is to save.")
      .def("restore", &Multiclass::restore, "state"_a, nb::sig("def restore(self, state: dict[str, typing.Any]) -> None"), "Becomes what state() described.");
}

}  // namespace noregret
