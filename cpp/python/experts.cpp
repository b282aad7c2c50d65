// Python's view of an expert rule.
#include "bindings.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "../experts/rule.hpp"
#include "arrays.hpp"
#include "buffer.hpp"
#include "turn.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

using experts::Numbers;
using experts::Rule;

// A matrix of doubles, rounds × experts, rows without gaps.
struct Table {
  Table(const Buffer& buffer, std::size_t n) : data(buffer.start<double>()) {
    if (buffer.dimensions() != 2 || !buffer.holds<double>() || (buffer.length(1) > 1 && buffer.stride(1) != 1)) {
      throw Refusal("BadType", "a whole run is a matrix of doubles, rounds × experts");
    }
    if (buffer.length(1) != n) {
      throw Refusal("BadInput", "there are " + std::to_string(n) + " experts and " + std::to_string(buffer.length(1)) + " columns");
    }
    rows = buffer.length(0);
    step = buffer.stride(0);
  }
  const double* row(std::size_t t) const { return data + static_cast<std::ptrdiff_t>(t) * step; }
  const double* data;
  std::size_t rows;
  std::ptrdiff_t step;
};

class Experts {
 public:
  Experts(const Experts&) = delete;
  Experts(const std::string& rule, std::size_t n, const Numbers& parameters, const std::string& loss, double quantile, bool gradient)
      : rule_(experts::make_rule(rule, n, parameters)), loss_(experts::make_loss(loss, quantile)), gradient_(gradient) {}

  std::size_t size() const { return rule_->n; }

  nb::object weights(nb::handle advice) {
    const Turn turn(turns_);
    if (advice.is_none()) return copied(rule_->weights(nullptr), rule_->n);
    const Buffer buffer(advice, "advice");
    const double* said = sized_row(buffer);
    rule_->say(said, loss_);
    return copied(rule_->weights(said), rule_->n);
  }

  double predict(nb::handle advice) {
    const Turn turn(turns_);
    const Buffer buffer(advice, "advice");
    return rule_->say(sized_row(buffer), loss_);
  }

  double learn_losses(nb::handle losses) {
    const Turn turn(turns_);
    const Buffer buffer(losses, "losses");
    return rule_->play(sized_row(buffer));
  }

  nb::tuple learn_advice(nb::handle advice, double truth) {
    const Turn turn(turns_);
    const Buffer buffer(advice, "advice");
    double own = 0.0;
    const double said = rule_->play(sized_row(buffer), truth, loss_, gradient_, own);
    return nb::make_tuple(said, own);
  }

  double learn_late(nb::handle advice, double prediction, nb::handle weights, double waiting, double truth) {
    const Turn turn(turns_);
    const Buffer said(advice, "advice"), then(weights, "weights");
    double own = 0.0;
    rule_->learn_late(sized_row(said), prediction, sized_row(then), waiting, truth, loss_, gradient_, own);
    return own;
  }

  void play_losses(nb::handle losses, nb::handle own, nb::handle history) {
    const Turn turn(turns_);
    const Buffer buffer(losses, "losses"), own_buffer(own, "own", true);
    const Table table(buffer, rule_->n);
    double* out = sized<double>(own_buffer, table.rows);
    const History kept(history, table.rows, rule_->n);
    nb::gil_scoped_release release;
    each_row(table.rows, [&](std::size_t t) {
      kept.write(t, *rule_, table.row(t));
      out[t] = rule_->play(table.row(t));
    });
  }

  void play_advice(nb::handle advice, nb::handle truths, nb::handle said, nb::handle own, nb::handle history, nb::handle prices) {
    const Turn turn(turns_);
    const Buffer buffer(advice, "advice"), truth_buffer(truths, "truths"), said_buffer(said, "said", true), own_buffer(own, "own", true);
    const Table table(buffer, rule_->n);
    const double* truth = sized<const double>(truth_buffer, table.rows);
    double *predictions = sized<double>(said_buffer, table.rows), *losses = sized<double>(own_buffer, table.rows);
    const History kept(history, table.rows, rule_->n), priced(prices, table.rows, rule_->n);
    nb::gil_scoped_release release;
    each_row(table.rows, [&](std::size_t t) {
      predictions[t] = rule_->play(table.row(t), truth[t], loss_, gradient_, losses[t], kept.at(t));
      if (priced.data != nullptr) std::copy_n(rule_->priced_row(), rule_->n, priced.at(t));
    });
  }

  void grow(std::size_t count) {
    const Turn turn(turns_);
    rule_->grow(count);
  }

  void adopt(const Experts& other) {
    turns_.require_free();
    other.turns_.require_free();
    rule_ = other.rule_->clone();
  }

  Numbers scalars() const {
    const Turn turn(turns_);
    Numbers found;
    for (const auto& scalar : rule_->scalars()) found[scalar.name] = *scalar.value;
    return found;
  }

  nb::dict lanes() const {
    const Turn turn(turns_);
    nb::dict found;
    for (const auto& lane : rule_->lanes()) found[lane.name] = copied(lane.values->data(), length(lane));
    return found;
  }

  void restore(const nb::dict& lanes, const Numbers& scalars) {
    const Turn turn(turns_);
    auto fresh = rule_->clone();
    for (const auto& scalar : fresh->scalars()) {
      if (!scalars.contains(scalar.name)) throw Refusal("BadModel", "it does not hold the number " + std::string(scalar.name));
      *scalar.value = scalars.at(scalar.name);
    }
    for (const auto& lane : fresh->lanes()) {
      if (!lanes.contains(lane.name)) throw Refusal("BadModel", "it has no lane called " + std::string(lane.name));
      const Buffer values(lanes[lane.name], "a lane");
      const auto* value = values.data<double>();
      if (values.length() != length(lane)) throw Refusal("BadModel", "a lane does not fit the number of experts");
      for (std::size_t k = 0; k < values.length(); ++k) {
        if (!std::isfinite(value[k])) throw Refusal("BadModel", "a number in it is not finite");
        (*lane.values)[k] = value[k];
      }
    }
    rule_ = std::move(fresh);
  }

 private:
  // Where the weights, or the losses, of every round go, if anybody wants them.
  struct History {
    History(nb::handle array, std::size_t rows, std::size_t n) : n(n) {
      if (array.is_none()) return;
      buffer.emplace(array, "weights", true);
      data = sized<double>(*buffer, rows * n);
    }
    double* at(std::size_t t) const { return data == nullptr ? nullptr : data + t * n; }
    void write(std::size_t t, Rule& rule, const double* row) const {
      if (data != nullptr) std::copy_n(rule.weights(row), n, at(t));
    }
    std::optional<Buffer> buffer;
    double* data = nullptr;
    std::size_t n;
  };

  const double* sized_row(const Buffer& buffer) const {
    const double* row = buffer.data<double>();
    if (buffer.length() != rule_->n) {
      throw Refusal("BadInput", "there are " + std::to_string(rule_->n) + " experts and " + std::to_string(buffer.length()) + " numbers");
    }
    return row;
  }

  std::size_t length(const experts::Lane& lane) const { return lane.length != 0 ? lane.length : rule_->n; }

  // A bad row is named; the rows before it have been learned, it and those after it have not.
  static void each_row(std::size_t rows, auto&& visit) {
    for (std::size_t t = 0; t < rows; ++t) at_row(t, [&] { visit(t); });
  }

  Turns turns_{"rule"};
  std::unique_ptr<Rule> rule_;
  experts::Loss loss_;
  bool gradient_;
};

}  // namespace

void bind_experts(nb::module_& m) {
  nb::class_<Experts>(m, "Experts", "A rule that weighs experts.")
      .def(nb::init<const std::string&, std::size_t, const Numbers&, const std::string&, double, bool>(), "rule"_a, "n"_a, "parameters"_a,
           "loss"_a, "quantile"_a, "gradient"_a)
      .def_prop_ro("n", &Experts::size, "How many experts there are.")
      .def("core_weights", &Experts::weights, "advice"_a.none())
      .def("core_predict", &Experts::predict, "advice"_a)
      .def("core_learn_losses", &Experts::learn_losses, "losses"_a)
      .def("core_learn_advice", &Experts::learn_advice, "advice"_a, "truth"_a, nb::sig("def core_learn_advice(self, advice: object, truth: float) -> tuple[float, float]"))
      .def("core_learn_late", &Experts::learn_late, "advice"_a, "prediction"_a, "weights"_a, "waiting"_a, "truth"_a)
      .def("core_play_losses", &Experts::play_losses, "losses"_a, "own"_a, "history"_a.none())
      .def("core_play_advice", &Experts::play_advice, "advice"_a, "truths"_a, "said"_a, "own"_a, "history"_a.none(), "prices"_a.none())
      .def("core_grow", &Experts::grow, "count"_a)
      .def("adopt", &Experts::adopt, "other"_a, "Becomes a copy of another rule.")
      .def_prop_ro("scalars", &Experts::scalars, "The running numbers of the rule.")
      .def("lanes", &Experts::lanes, nb::sig("def lanes(self) -> dict[str, object]"), "What the rule keeps for each expert, by name.")
      .def("core_restore", &Experts::restore, "lanes"_a, "scalars"_a,
           nb::sig("def core_restore(self, lanes: dict[str, object], scalars: dict[str, float]) -> None"));
}

}  // namespace noregret
