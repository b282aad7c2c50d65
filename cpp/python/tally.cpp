#include "../tally.hpp"

#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "buffer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {

namespace {

void add_round(Tally& tally, double score, double prediction, double label, double loss, bool updated, double weight, double potential) {
  tally.add({1, &score, &prediction, &label, &loss, &potential, &weight, &updated});
}

// Many rounds at once, of a learner without a potential; whatever has a label and counts is an update.
void add_rounds(Tally& tally, nb::handle scores, nb::handle predictions, nb::handle labels, nb::handle losses, nb::handle weights) {
  const Buffer label_buffer(labels, "labels");
  const std::size_t count = label_buffer.length();
  const Buffer score_buffer(scores, "scores"), prediction_buffer(predictions, "predictions"), loss_buffer(losses, "losses");
  const auto *label = label_buffer.data<double>(), *score = sized<const double>(score_buffer, count);
  const auto *prediction = sized<const double>(prediction_buffer, count), *loss = sized<const double>(loss_buffer, count);
  std::optional<Buffer> weight_buffer;
  const double* weight = weights.is_none() ? nullptr : sized<const double>(weight_buffer.emplace(weights, "weights"), count);
  for (std::size_t r = 0; r < count; ++r) {
    if (std::isnan(label[r])) {
      tally.skip(0.0);
      continue;
    }
    const double counts = weight == nullptr ? 1.0 : weight[r];
    add_round(tally, score[r], prediction[r], label[r], loss[r], counts > 0.0, counts, 0.0);
  }
}

}  // namespace

void bind_tally(nb::module_& m) {
  nb::class_<Tally>(m, "Tally", "What happened in a run, in a size that does not depend on its length.")
      .def(nb::init<>())
      .def("add", &add_round, "score"_a, "prediction"_a, "label"_a, "loss"_a, "updated"_a, "weight"_a, "potential"_a)
      .def("add_class", [](Tally& tally, std::int64_t prediction, std::int64_t label, double loss, bool updated, double weight, double potential) {
        tally.add_class(static_cast<std::uint32_t>(prediction), static_cast<std::uint32_t>(label), loss, updated, weight, potential);
      }, "prediction"_a, "label"_a, "loss"_a, "updated"_a, "weight"_a, "potential"_a, "Counts a round of classes, told by their numbers; −1 is none.")
      .def("add_number", &Tally::add_number, "prediction"_a, "label"_a, "loss"_a, "updated"_a, "weight"_a, "potential"_a)
      .def("add_rounds", &add_rounds, "scores"_a, "predictions"_a, "labels"_a, "losses"_a, "weights"_a.none(), "Counts many rounds; a label of NaN is none.")
      .def("skip", &Tally::skip, "potential"_a, "Counts a round without a label.")
      .def_ro("rounds", &Tally::rounds)
      .def_ro("unlabelled", &Tally::unlabelled)
      .def_ro("mistakes", &Tally::mistakes)
      .def_ro("updates", &Tally::updates)
      .def_prop_ro("true_negatives", [](const Tally& tally) { return tally.outcomes[0]; })
      .def_prop_ro("false_positives", [](const Tally& tally) { return tally.outcomes[1]; })
      .def_prop_ro("false_negatives", [](const Tally& tally) { return tally.outcomes[2]; })
      .def_prop_ro("true_positives", [](const Tally& tally) { return tally.outcomes[3]; })
      .def_ro("loss", &Tally::loss)
      .def_ro("weighted", &Tally::weighted)
      .def_ro("squared", &Tally::squared, "The sum of squared errors of predictions that are numbers.")
      .def_ro("absolute", &Tally::absolute, "The sum of their absolute errors.")
      .def("confusion", [](const Tally& tally) -> nb::object {
        if (!tally.confusion.whole()) return nb::none();
        nb::list counts;
        const std::uint32_t side = tally.confusion.side();
        for (std::uint32_t label = 0; label < side; ++label) {
          for (std::uint32_t said = 0; said < side; ++said) {
            const std::uint64_t count = tally.confusion.at(label, said);
            if (count > 0) counts.append(nb::make_tuple(label, said, count));
          }
        }
        return counts;
      }, nb::sig("def confusion(self) -> list[tuple[int, int, int]] | None"), "How often which class (by number) was called which; None beyond 256 classes.")
      .def("unsaid", [](const Tally& tally, std::uint32_t label) { return tally.confusion.unsaid(label); }, "label"_a,
           "How often rows of this class were called nothing, because no class was known.")
      .def("auc", [](const Tally& tally) { return tally.ranks.auc(); })
      .def("scores", [](const Tally& tally) {
        nb::list bins;
        for (const Ranks::Bin& bin : tally.ranks.bins()) bins.append(nb::make_tuple(bin.lowest, bin.negatives, bin.positives));
        return bins;
      }, nb::sig("def scores(self) -> list[tuple[float, int, int]]"),
           "Scores to about one per cent, and how many labels −1 and +1 came with each.")
      .def("curve", [](const Tally& tally) {
        nb::list points;
        for (const CurvePoint& p : tally.curve()) points.append(nb::make_tuple(p.round, p.mistakes, p.loss, p.potential));
        return points;
      }, nb::sig("def curve(self) -> list[tuple[int, int, float, float]]"));
}

}  // namespace noregret
