// Python's view of the judging pass: rows laid out, margins, sums over them, witnesses.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>

#include "../certify/bins.hpp"
#include "../certify/cells.hpp"
#include "../certify/dual.hpp"
#include "../certify/gradients.hpp"
#include "../certify/kernel_scores.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "buffer.hpp"
#include "matrix.hpp"
#include "turn.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

using namespace certify;

// The arrays (values, columns, starts) of laid-out rows, checked: columns below `width` where that is given.
class CellArrays {
 public:
  explicit CellArrays(nb::handle cells, std::size_t width = ~std::size_t{0}) : parts_(nb::cast<nb::tuple>(cells)), values_(parts_[0], "values"), columns_(parts_[1], "columns"), starts_(parts_[2], "starts") {
    const auto* starts = starts_.data<std::int64_t>();
    const std::size_t rows = starts_.length() - 1, filled = values_.length();
    bool sound = starts_.length() > 0 && columns_.length() == filled && starts[0] == 0 && starts[rows] == static_cast<std::int64_t>(filled);
    for (std::size_t r = 0; sound && r < rows; ++r) sound = starts[r] <= starts[r + 1];
    const auto* columns = columns_.data<std::int32_t>();
    for (std::size_t k = 0; sound && k < filled; ++k) sound = columns[k] >= 0 && static_cast<std::size_t>(columns[k]) < width;
    if (!sound) throw Refusal("BadInput", "the cells do not fit their starts and columns");
    view = {values_.data<double>(), columns, starts, rows};
  }
  CellRows view;

 private:
  nb::tuple parts_;
  Buffer values_, columns_, starts_;
};

nb::object matrix_of(std::vector<double>&& numbers, std::size_t rows, std::size_t columns) {
  auto* kept = new std::vector<double>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  static double nothing = 0.0;
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(kept->empty() ? &nothing : kept->data(), {rows, columns}, owner));
}

class PyFeatureColumns {
 public:
  nb::object lay(const Matrix& matrix, nb::handle wanted) {
    const Turn turn(turns_);
    const Block block = matrix.block();
    const Buffer mask(wanted, "wanted");
    const auto* chosen = reinterpret_cast<const bool*>(sized<const std::uint8_t>(mask, block.count));
    LaidOut laid;
    {
      nb::gil_scoped_release release;
      laid = columns_.lay(block, chosen);
    }
    return nb::make_tuple(given(std::move(laid.values)), given(std::move(laid.columns)), given(std::move(laid.starts)));
  }
  std::int32_t add(nb::handle feature) {
    const Turn turn(turns_);
    if (!PyUnicode_Check(feature.ptr())) return columns_.add_index(nb::cast<std::int64_t>(feature));
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(feature.ptr(), &size);
    if (text == nullptr) {
      PyErr_Clear();
      throw Refusal("BadInput", "the name of a feature is not text");
    }
    return columns_.add_name({text, static_cast<std::size_t>(size)});
  }
  std::size_t size() const {
    turns_.require_free();
    return columns_.size();
  }
  nb::list features() const {
    const Turn turn(turns_);
    nb::list all;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_.are_names()) {
        const std::string_view name = columns_.name_at(column);
        all.append(nb::str(name.data(), name.size()));
      } else {
        all.append(columns_.index_at(column));
      }
    }
    return all;
  }

 private:
  Turns turns_{"layout"};
  FeatureColumns columns_;
};

nb::object measure_rows(nb::handle cells) {
  const CellArrays x(cells);
  std::vector<double> squares(x.view.rows), peaks(x.view.rows), spans(x.view.rows);
  {
    nb::gil_scoped_release release;
    measure(x.view, squares.data(), peaks.data(), spans.data());
  }
  return nb::make_tuple(given(std::move(squares)), given(std::move(peaks)), given(std::move(spans)));
}

nb::object score_directions(nb::handle cells, nb::handle table, nb::handle rest, nb::handle offsets, nb::handle kinds, nb::handle smallest) {
  const CellArrays x(cells);
  const Buffer rows(table, "table"), others(rest, "rest"), biases(offsets, "offsets"), kind(kinds, "kinds"), least(smallest, "smallest");
  const std::size_t width = others.length();
  if (rows.dimensions() != 2 || !rows.holds<double>() || rows.length(1) != width || width % 8 != 0 || (rows.length(0) > 0 && width > 0 && (rows.stride(1) != 1 || rows.stride(0) != static_cast<std::ptrdiff_t>(width)))) {
    throw Refusal("BadType", "the directions are a matrix of doubles, columns × a multiple of 8");
  }
  const Directions directions{rows.start<double>(), rows.length(0), others.data<double>(), sized<const double>(biases, width), sized<const std::uint8_t>(kind, width), sized<const double>(least, width), width};
  std::vector<double> low(width * x.view.rows), high(width * x.view.rows);
  {
    nb::gil_scoped_release release;
    products(x.view, directions, low.data(), high.data());
  }
  return nb::make_tuple(matrix_of(std::move(low), width, x.view.rows), matrix_of(std::move(high), width, x.view.rows));
}

void add_weighted_rows(nb::handle cells, nb::handle factors, nb::handle into) {
  const Buffer sums(into, "sums", true), by_row(factors, "factors");
  const CellArrays x(cells, sums.length());
  add_rows(x.view, sized<const double>(by_row, x.view.rows), sums.data<double>());
}

class PyBins {
 public:
  void add(nb::handle margins, nb::handle wanted, nb::handle weights) {
    const Buffer values(margins, "margins");
    const auto* margin = values.data<double>();
    const std::size_t count = values.length();
    std::optional<Buffer> mask, scale;
    if (!wanted.is_none()) mask.emplace(wanted, "wanted");
    if (!weights.is_none()) scale.emplace(weights, "weights");
    const auto* chosen = mask ? sized<const std::uint8_t>(*mask, count) : nullptr;
    const auto* weight = scale ? sized<const double>(*scale, count) : nullptr;
    for (std::size_t r = 0; r < count; ++r) {
      if (chosen == nullptr || chosen[r]) bins_.add(margin[r], weight == nullptr ? 1.0 : weight[r]);
    }
  }
  nb::object table() const {
    std::vector<double> lowest, next, counts, sums, squares;
    bins_.each([&](double low, double high, const Bin& bin) {
      lowest.push_back(low);
      next.push_back(high);
      counts.push_back(bin.count);
      sums.push_back(bin.sum);
      squares.push_back(bin.square);
    });
    return nb::make_tuple(given(std::move(lowest)), given(std::move(next)), given(std::move(counts)), given(std::move(sums)), given(std::move(squares)));
  }
  double least() const { return bins_.least(); }
  double most() const { return bins_.most(); }
  bool whole() const { return bins_.whole(); }
  std::uint64_t rounds() const { return bins_.rounds(); }
  std::uint64_t wrong() const { return bins_.wrong(); }

 private:
  Bins bins_;
};

std::size_t descend_dual(nb::handle cells, nb::handle labels, nb::handle squares, bool bias, double limit, double diagonal, nb::handle alpha, nb::handle u, std::size_t epochs, double tolerance, std::uint64_t seed) {
  const Buffer sign(labels, "labels"), length(squares, "squares"), dual(alpha, "alpha", true), direction(u, "u", true);
  const std::size_t width = direction.length() - (bias ? 1 : 0);
  const CellArrays x(cells, width);
  const DualProblem problem{x.view, sized<const double>(sign, x.view.rows), sized<const double>(length, x.view.rows), bias, limit, diagonal};
  auto* a = sized<double>(dual, x.view.rows);
  auto* w = direction.data<double>();
  nb::gil_scoped_release release;
  return descend(problem, a, w, width, epochs, tolerance, seed);
}

nb::object mixtures(nb::handle cells, nb::handle labels, std::size_t width, bool bias, bool is_signed, double margin, double rate, std::size_t epochs, std::uint64_t seed) {
  const CellArrays x(cells, width);
  const Buffer sign(labels, "labels");
  const std::size_t size = width + (bias ? 1 : 0);
  std::vector<double> found(epochs * size, 0.0);
  {
    const MixtureProblem problem{x.view, sized<const double>(sign, x.view.rows), bias, is_signed, margin, rate};
    nb::gil_scoped_release release;
    descend_mixture(problem, width, epochs, seed, found.data());
  }
  return matrix_of(std::move(found), epochs, size);
}

GradientRule rule_called(const std::string& name) {
  if (name == "descent") return GradientRule::descent;
  return name == "proximal" ? GradientRule::proximal : GradientRule::plain;
}

class PyGradientSums {
 public:
  PyGradientSums(const std::string& rule, const std::vector<double>& parameters) : sums_(rule_called(rule), filled(parameters)) {}

  void add(nb::handle cells, nb::handle factors, std::size_t width, bool bias) {
    const CellArrays x(cells, width);
    const Buffer by_row(factors, "factors");
    const auto* factor = sized<const double>(by_row, x.view.rows);
    sums_.add(x.view, factor, width, bias);
  }
  double largest() const { return sums_.largest(); }

  // One sum by column; that of the bias behind the others.
  nb::object column(const std::string& name) const {
    const double FeatureSums::* member = name == "squares" ? &FeatureSums::squares : name == "sizes" ? &FeatureSums::sizes : name == "low" ? &FeatureSums::low : name == "high" ? &FeatureSums::high : name == "first" ? &FeatureSums::first : name == "second" ? &FeatureSums::second : &FeatureSums::ahead;
    std::vector<double> found;
    found.reserve(sums_.sums().size() + 1);
    for (const FeatureSums& one : sums_.sums()) found.push_back(one.*member);
    found.push_back(sums_.bias().*member);
    return given(std::move(found));
  }

 private:
  static std::array<double, 4> filled(const std::vector<double>& given) {
    std::array<double, 4> all{};
    std::copy_n(given.begin(), std::min<std::size_t>(given.size(), 4), all.begin());
    return all;
  }
  GradientSums sums_;
};

nb::object score_kernels(int kind, double gamma, double degree, double offset, nb::handle cells, nb::handle examples, nb::handle coefficients) {
  const CellArrays x(cells), z(examples);
  const Buffer table(coefficients, "coefficients");
  if (table.dimensions() != 2 || !table.holds<double>() || table.length(1) != z.view.rows || (table.length(0) > 0 && z.view.rows > 0 && (table.stride(1) != 1 || table.stride(0) != static_cast<std::ptrdiff_t>(z.view.rows)))) {
    throw Refusal("BadType", "the coefficients are a matrix of doubles, functions × examples");
  }
  const std::size_t functions = table.length(0);
  std::vector<double> low(functions * x.view.rows), high(functions * x.view.rows), own(x.view.rows);
  {
    nb::gil_scoped_release release;
    kernel_scores({kind, gamma, degree, offset}, x.view, z.view, table.start<double>(), functions, low.data(), high.data(), own.data());
  }
  return nb::make_tuple(matrix_of(std::move(low), functions, x.view.rows), matrix_of(std::move(high), functions, x.view.rows), given(std::move(own)));
}

nb::object matrix_of_kernels(int kind, double gamma, double degree, double offset, nb::handle cells) {
  const CellArrays z(cells);
  std::vector<double> found(z.view.rows * z.view.rows);
  {
    nb::gil_scoped_release release;
    kernel_matrix({kind, gamma, degree, offset}, z.view, found.data());
  }
  return matrix_of(std::move(found), z.view.rows, z.view.rows);
}

}  // namespace

void bind_judging(nb::module_& m) {
  nb::class_<PyFeatureColumns>(m, "FeatureColumns", "Columns for features, numbered in the order in which they occur.")
      .def(nb::init<>())
      .def("lay", &PyFeatureColumns::lay, "matrix"_a, "wanted"_a,
           nb::sig("def lay(self, matrix: Matrix, wanted: object) -> tuple[typing.Any, typing.Any, typing.Any]"), "Lays out the wanted rows: values, columns and starts; no feature twice, no zeros.")
      .def("add", &PyFeatureColumns::add, "feature"_a, "The column of a feature, old or new.")
      .def("__len__", &PyFeatureColumns::size)
      .def_prop_ro("features", &PyFeatureColumns::features, nb::for_getter(nb::sig("def features(self) -> list[int | str]")), "The features, by column.");
  m.def("measure_rows", &measure_rows, "cells"_a, nb::sig("def measure_rows(cells: object) -> tuple[typing.Any, typing.Any, typing.Any]"), "‖x‖² rounded up, max |xᵢ|, and max(0, xᵢ) − min(0, xᵢ) of every row.");
  m.def("score_directions", &score_directions, "cells"_a, "table"_a, "rest"_a, "offsets"_a, "kinds"_a, "smallest"_a,
        nb::sig("def score_directions(cells: object, table: object, rest: object, offsets: object, kinds: object, smallest: object) -> tuple[typing.Any, typing.Any]"), "⟨u, x⟩ of every row for several u, from below and from above.");
  m.def("add_weighted_rows", &add_weighted_rows, "cells"_a, "factors"_a, "into"_a, "Adds every row times its factor, by column.");
  nb::class_<PyBins>(m, "Bins", "Margins by size: count, sum and sum of squares of each 3 % bin.")
      .def(nb::init<>())
      .def("add", &PyBins::add, "margins"_a, "wanted"_a.none() = nb::none(), "weights"_a.none() = nb::none())
      .def("table", &PyBins::table, nb::sig("def table(self) -> tuple[typing.Any, typing.Any, typing.Any, typing.Any, typing.Any]"), "Lowest margin, lowest margin of the next bin, count, sum and sum of squares of the bins that are not empty.")
      .def_prop_ro("least", &PyBins::least, "The least margin, exactly; infinity without rounds.")
      .def_prop_ro("most", &PyBins::most, "The largest margin, exactly.")
      .def_prop_ro("whole", &PyBins::whole, "Whether all margins are whole numbers, each of weight 1.")
      .def_prop_ro("rounds", &PyBins::rounds, "How many margins were added.")
      .def_prop_ro("wrong", &PyBins::wrong, "How many of them were 0 or less.");
  m.def("descend_dual", &descend_dual, "cells"_a, "labels"_a, "squares"_a, "bias"_a, "limit"_a, "diagonal"_a, "alpha"_a, "u"_a, "epochs"_a, "tolerance"_a, "seed"_a,
        "Dual coordinate descent on ½‖u‖² + C·Σ hinge, or half the squared hinge; writes alpha and u, gives the number of epochs.");
  m.def("mixtures", &mixtures, "cells"_a, "labels"_a, "width"_a, "bias"_a, "is_signed"_a, "margin"_a, "rate"_a, "epochs"_a, "seed"_a,
        nb::sig("def mixtures(cells: object, labels: object, width: int, bias: bool, is_signed: bool, margin: float, rate: float, epochs: int, seed: int) -> typing.Any"),
        "Mixtures of features by exponentiated gradient on the hinge at a margin, one after each epoch.");
  nb::class_<PyGradientSums>(m, "GradientSums", "Sums over the gradients of every feature.")
      .def(nb::init<const std::string&, const std::vector<double>&>(), "rule"_a, "parameters"_a)
      .def("add", &PyGradientSums::add, "cells"_a, "factors"_a, "width"_a, "bias"_a)
      .def("column", &PyGradientSums::column, "name"_a, nb::sig("def column(self, name: str) -> typing.Any"), "One sum by column, that of the bias behind the others.")
      .def_prop_ro("largest", &PyGradientSums::largest, "The largest |g| of a feature.");
  m.def("score_kernels", &score_kernels, "kind"_a, "gamma"_a, "degree"_a, "offset"_a, "cells"_a, "examples"_a, "coefficients"_a,
        nb::sig("def score_kernels(kind: int, gamma: float, degree: float, offset: float, cells: object, examples: object, coefficients: object) -> tuple[typing.Any, typing.Any, typing.Any]"),
        "Σ a·K(z, x) of every row for several functions, from below and from above; and K(x, x) from above.");
  m.def("kernel_matrix", &matrix_of_kernels, "kind"_a, "gamma"_a, "degree"_a, "offset"_a, "cells"_a,
        nb::sig("def kernel_matrix(kind: int, gamma: float, degree: float, offset: float, cells: object) -> typing.Any"),
        "K(z, z') for all pairs of rows, about.");
}

}  // namespace noregret
