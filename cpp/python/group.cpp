// Python's view of learners that stand side by side.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "linear.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

class Members {
 public:
  Members(const Members&) = delete;
  explicit Members(std::unique_ptr<Group> group) : group_(std::move(group)) {}

  // Null when they cannot stand side by side.
  static std::unique_ptr<Members> of(const std::vector<Linear*>& learners) {
    std::vector<const Learner*> found;
    for (const Linear* one : learners) found.push_back(&one->idle());
    auto group = found.empty() ? nullptr : found.front()->group(found);
    return group == nullptr ? nullptr : std::make_unique<Members>(std::move(group));
  }

  std::size_t size() const { return group_->members; }
  std::unique_ptr<Members> clone() const {
    turns_.require_free();
    return std::make_unique<Members>(group_->clone());
  }
  // None where it is not known.
  std::vector<std::optional<std::uint64_t>> rounds_learned() const {
    turns_.require_free();
    std::vector<std::optional<std::uint64_t>> rounds;
    for (std::size_t m = 0; m < group_->members; ++m) rounds.push_back(group_->rounds_learned(m).count());
    return rounds;
  }
  void write(std::size_t member, Linear& learner) const {
    const Turn turn(turns_);
    if (member >= group_->members) throw Refusal("BadInput", "the group has no such member");
    learner.take(*group_, member);
  }

  std::vector<double> predict(nb::handle x) {
    const Turn turn(turns_);
    resolve(x, group_->features, last_, row_);
    std::vector<double> said(group_->members);
    group_->predict(row_, said.data());
    return said;
  }
  void learn(nb::handle x, double y, double weight) {
    const Turn turn(turns_);
    teach(x, y, weight);
  }
  void rehearse(nb::handle x, double y, double weight) {
    const Turn turn(turns_);
    teach(x, y, weight);
    group_->undo();
  }

  void play(const Matrix& matrix, nb::handle labels, nb::handle weights, nb::handle said) {
    const Turn turn(turns_);
    const LabelledRows rows(matrix, labels, weights);
    const Buffer said_buffer(said, "said", true);
    double* out = sized<double>(said_buffer, rows.block.count * group_->members);
    row_.forget_source();
    nb::gil_scoped_release release;
    group_->play(rows.block, out);
  }
  void predict_rows(const Matrix& matrix, nb::handle said) {
    const Turn turn(turns_);
    const Buffer said_buffer(said, "said", true);
    const Block block = matrix.block();
    double* out = sized<double>(said_buffer, block.count * group_->members);
    nb::gil_scoped_release release;
    group_->predict_rows(block, out);
  }

 private:
  void teach(nb::handle x, double y, double weight) {
    resolve(x, group_->features, last_, row_);
    group_->learn(row_, y, weight);
  }

  Turns turns_{"panel"};
  std::unique_ptr<Group> group_;
  LastExample last_;
  Resolved row_;
};

}  // namespace

void bind_group(nb::module_& m) {
  nb::class_<Members>(m, "Group", "Linear learners of one rule side by side; each does what it would do alone.")
      .def_static("of", &Members::of, "learners"_a, nb::sig("def of(learners: collections.abc.Sequence[Linear]) -> Group | None"),
                  "Copies of the learners, side by side; None when they cannot stand so.")
      .def("__len__", &Members::size)
      .def("clone", &Members::clone, "A copy that shares nothing.")
      .def_prop_ro("rounds_learned", &Members::rounds_learned, "The number of labelled rounds that each member has learned; None where it is not known.")
      .def("write", &Members::write, "member"_a, "learner"_a, "Makes a learner of the same spec what this member is.")
      .def("predict", &Members::predict, "x"_a.none(), "What each member says. Changes nothing.")
      .def("learn", &Members::learn, "x"_a.none(), "y"_a, "weight"_a, "Teaches every member, or none.")
      .def("rehearse", &Members::rehearse, "x"_a.none(), "y"_a, "weight"_a, "Raises what learn would raise, and changes nothing.")
      .def("play", &Members::play, "matrix"_a, "labels"_a, "weights"_a.none(), "said"_a,
           "Predict, then learn, row after row; `said` has a row for each member.")
      .def("predict_rows", &Members::predict_rows, "matrix"_a, "said"_a, "Predict every row and learn nothing.");
}

}  // namespace noregret
