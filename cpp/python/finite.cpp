// Python's view of finite classes, version spaces and dimensions.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "../finite/dimension.hpp"
#include "../finite/vc.hpp"
#include "../refusal.hpp"
#include "arrays.hpp"
#include "turn.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

using Limit = std::optional<std::uint64_t>;

FiniteClass make_class(nb::handle packed, std::size_t hypotheses, std::size_t points) {
  const Buffer buffer(packed, "the packed columns");
  const std::size_t bytes = words_for(hypotheses) * points * sizeof(Word);
  return FiniteClass(sized<const std::uint8_t>(buffer, bytes), hypotheses, points);
}

std::size_t inside(const FiniteClass& all, std::size_t point) {
  if (point < all.points()) return point;
  throw Refusal("BadInput", "there is no point " + std::to_string(point) + "; the class has " + std::to_string(all.points()) + ", counted from 0");
}

// Lets Python handle Ctrl-C, and tells who wants to know how far the search is.
Progress watched(const nb::object& told) {
  return [&told](Bounds now, std::uint64_t visited) {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!told.is_none()) told(now.lower, now.upper, visited);
  };
}

// Answers questions about one class; only one thread may ask at a time.
class Search {
 public:
  explicit Search(const FiniteClass& all) : all_(all), search_(all) {}

  std::pair<int, int> littlestone(const VersionSpace& space, Limit limit, const nb::object& told) {
    const Turn turn(turns_);
    const Progress progress = watched(told);
    nb::gil_scoped_release release;
    const Bounds found = search_.bounds(space.bits(), limit.value_or(kNoLimit), progress);
    return {found.lower, found.upper};
  }
  std::vector<std::uint32_t> tree(const VersionSpace& space, int depth, const nb::object& told) {
    const Turn turn(turns_);
    const Progress progress = watched(told);
    nb::gil_scoped_release release;
    return search_.tree(space.bits(), depth, progress);
  }
  nb::tuple vc(Limit limit, const nb::object& told) {
    const Turn turn(turns_);
    const Progress progress = watched(told);
    VcResult found;
    {
      nb::gil_scoped_release release;
      found = vc_dimension(all_, limit.value_or(kNoLimit), progress);
    }
    return nb::make_tuple(found.bounds.lower, found.bounds.upper, found.points);
  }

 private:
  const FiniteClass& all_;
  LittlestoneSearch search_;
  Turns turns_{"search"};
};

}  // namespace

void bind_finite(nb::module_& m) {
  nb::class_<FiniteClass>(m, "FiniteClass", "A 0/1 table of hypotheses and points, as bits.")
      .def(nb::new_(&make_class), "packed"_a, "hypotheses"_a, "points"_a,
           "Takes the columns, each as little-endian bits filled up to whole words of eight bytes.")
      .def_prop_ro("hypotheses", &FiniteClass::hypotheses)
      .def_prop_ro("points", &FiniteClass::points)
      .def("says", [](const FiniteClass& all, std::size_t h, std::size_t x) {
        if (h >= all.hypotheses()) throw Refusal("BadInput", "there is no hypothesis " + std::to_string(h));
        return all.says(h, inside(all, x));
      }, "hypothesis"_a, "point"_a, "What a hypothesis says at a point.")
      .def("column", [](const FiniteClass& all, std::size_t x) {
        return copied(reinterpret_cast<const std::uint8_t*>(all.column(inside(all, x))), all.words() * sizeof(Word));
      }, "point"_a, "The packed column of a point.", nb::sig("def column(self, point: int) -> numpy.typing.NDArray[numpy.uint8]"));

  nb::class_<VersionSpace>(m, "VersionSpace", "The hypotheses that agree with all labels so far.")
      .def(nb::init<const FiniteClass&>(), "all"_a, nb::keep_alive<1, 2>())
      .def("__copy__", [](const VersionSpace& space) { return VersionSpace(space); }, nb::keep_alive<0, 1>())
      .def_prop_ro("size", &VersionSpace::size)
      .def("ones", [](const VersionSpace& space, std::size_t x) { return space.ones(inside(space.all(), x)); }, "point"_a,
           "How many of them say 1 at a point.")
      .def("member", [](const VersionSpace& space, std::size_t rank) {
        if (rank >= space.size()) throw Refusal("BadInput", "the version space has " + std::to_string(space.size()) + " hypotheses, and number " + std::to_string(rank) + " was asked for");
        return space.member(rank);
      }, "rank"_a, "The hypothesis of this rank, counted from 0.")
      .def("restrict", [](VersionSpace& space, std::size_t x, bool label) { return space.restrict_to(inside(space.all(), x), label); },
           "point"_a, "label"_a, "Keeps those that say `label` at a point; how many went.")
      .def("key", [](const VersionSpace& space) { return nb::bytes(reinterpret_cast<const char*>(space.bits().data()), space.bits().size() * sizeof(Word)); },
           "Its bits: equal for equal version spaces.");

  nb::class_<Search>(m, "Search", "Dimensions of a class and of its version spaces, exactly; remembers what it found.")
      .def(nb::init<const FiniteClass&>(), "all"_a, nb::keep_alive<1, 2>())
      .def("littlestone", &Search::littlestone, "space"_a, "limit"_a.none(), "told"_a.none(), "Proven bounds of the Littlestone dimension, equal unless the limit was met.")
      .def("tree", &Search::tree, "space"_a, "depth"_a, "told"_a.none(), "The points of a shattered tree, node after node.")
      .def("vc", &Search::vc, "limit"_a.none(), "told"_a.none(), "Proven bounds of the VC dimension, and shattered points as many as the lower one.",
           nb::sig("def vc(self, limit: int | None, told: object | None) -> tuple[int, int, list[int]]"));
}

}  // namespace noregret
