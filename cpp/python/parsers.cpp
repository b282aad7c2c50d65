// Python's view of the text parsers: bytes in, arrays out, without the GIL in between.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <tuple>
#include <variant>

#include "../data/csv.hpp"
#include "../data/libsvm.hpp"
#include "../data/checksum.hpp"
#include "../data/nrb.hpp"
#include "../data/vocabulary.hpp"
#include "../data/vw.hpp"
#include "../data/words.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "matrix.hpp"
#include "rows.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

nb::object or_none(auto&& column) { return column.empty() ? nb::none() : given(std::move(column)); }

nb::str name_at(const Vocabulary& names, std::int64_t column) {
  const auto size = static_cast<std::int64_t>(names.size());
  if (column < 0) column += size;
  if (column < 0 || column >= size) throw nb::index_error("there is no such column");
  const std::string_view name = names.at(static_cast<std::size_t>(column));
  return nb::str(name.data(), name.size());
}

void bind_parsed(nb::module_& m) {
  nb::class_<Fault>(m, "Fault", "What is wrong with a line, where, and what would be right. Lines count from 0.")
      .def_ro("line", &Fault::line)
      .def_ro("column", &Fault::column)
      .def_prop_ro("token", [](const Fault& fault) { return nb::bytes(fault.token.data(), fault.token.size()); })
      .def_ro("rule", &Fault::rule);
  constexpr const char* kArray = "def take(self) -> tuple[typing.Any, typing.Any, typing.Any, typing.Any]";
  nb::class_<Parsed>(m, "Parsed", "A block of text as sparse rows, and what was wrong with it.")
      .def_ro("line_count", &Parsed::line_count, "How many lines were read.")
      .def_ro("faults", &Parsed::faults, "The first few.")
      .def_ro("fault_lines", &Parsed::fault_lines, "Of all faults.")
      .def_prop_ro("fault_count", &Parsed::fault_count)
      .def_ro("label_words", &Parsed::label_words)
      .def("__len__", &Parsed::rows)
      .def("settle", &Parsed::settle, "vocabulary"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Gives new names their columns, in file order; returns how many features were left out because there are too many names.")
      .def("take", [](Parsed& rows) {
        return nb::make_tuple(given(std::move(rows.values)), given(std::move(rows.indices)), given(std::move(rows.starts)), given(std::move(rows.lines)));
      }, nb::sig(kArray), "Hands over values, indices, starts and the line of each row, once.")
      .def("labels", [](Parsed& rows) { return given(std::move(rows.labels)); }, nb::sig("def labels(self) -> typing.Any"), "Hands over the labels, once.")
      .def("weights", [](Parsed& rows) { return or_none(std::move(rows.weights)); }, nb::sig("def weights(self) -> typing.Any"), "Hands over the importance weights, once; None when all are 1.")
      .def("groups", [](Parsed& rows) { return or_none(std::move(rows.groups)); }, nb::sig("def groups(self) -> typing.Any"), "Hands over the query of each row, −1 for none, once; None when there is none.")
      .def("label_codes", [](Parsed& rows) { return or_none(std::move(rows.label_codes)); }, nb::sig("def label_codes(self) -> typing.Any"),
           "Hands over which of label_words each label is, −1 for none, once; None when labels are numbers.");
}

// `columns` lists (kind, name, feature): what TableColumn holds.
TableShape shape_of(const std::vector<std::tuple<std::string, std::string, std::int32_t>>& columns, const std::string& separator) {
  static const std::map<std::string, ColumnKind> kKinds = {{"drop", ColumnKind::drop}, {"numeric", ColumnKind::number}, {"categorical", ColumnKind::category},
                                                         {"text", ColumnKind::text}, {"label", ColumnKind::label},    {"weight", ColumnKind::weight}};
  if (separator.size() != 1) throw Refusal("BadParameter", "a separator is one character");
  TableShape shape;
  shape.separator = separator[0];
  for (const auto& [kind, name, feature] : columns) shape.columns.push_back({kKinds.at(kind), name, name + "=", feature});
  return shape;
}

void bind_csv(nb::module_& m) {
  nb::class_<TableShape>(m, "TableShape", "What the columns of a table in text are.")
      .def("__init__", [](TableShape* self, const std::vector<std::tuple<std::string, std::string, std::int32_t>>& columns, const std::string& separator) {
        new (self) TableShape(shape_of(columns, separator));
      }, "columns"_a, "separator"_a);
  m.def("parse_csv", [](nb::handle bytes, const TableShape& shape, const Vocabulary* names, bool skip, int bits) {
    const Text text(bytes);
    if (names == nullptr && bits < 0) throw Refusal("BadParameter", "names need a vocabulary or bits");
    nb::gil_scoped_release release;
    return parse_csv(parseable(text), shape, skip, Naming(names, bits));
  }, "text"_a, "shape"_a, "names"_a.none(), "skip"_a = false, "bits"_a = -1,
     nb::sig("def parse_csv(text: typing.Any, shape: TableShape, names: Vocabulary | None, skip: bool = False, bits: int = -1) -> Parsed"), "Parses whole rows of a table.");
  m.def("csv_cut", [](nb::handle bytes, std::size_t end, const std::string& separator) {
    const Text text(bytes);
    const std::string_view view = text.view().substr(0, end);
    nb::gil_scoped_release release;
    return csv_cut(view, separator.empty() ? ',' : separator[0]);
  }, "text"_a, "end"_a, "separator"_a, nb::sig("def csv_cut(text: typing.Any, end: int, separator: str) -> int"), "Where the last whole row ends; 0 when there is none.");
  m.def("words", [](std::string_view text) {
    nb::list found;
    WordReader reader(text);
    for (std::string_view word = reader.next(); !word.empty(); word = reader.next()) found.append(nb::str(word.data(), word.size()));
    return found;
  }, "text"_a, nb::sig("def words(text: str) -> list[str]"), "The words of a text, in lower case.");
}

void bind_nrb(nb::module_& m) {
  m.def("encode_nrb", [](const Matrix& matrix, nb::handle labels, nb::handle weights, nb::handle groups) {
    const LabelledRows labelled(matrix, labels, weights);
    const Block& block = labelled.block;
    RowFacts facts{block.labels, block.weights};
    std::optional<Buffer> group_buffer;
    if (!groups.is_none()) facts.groups = sized<const std::int64_t>(group_buffer.emplace(groups, "groups"), block.count);
    const std::string bytes = std::visit([&](const auto& rows) -> std::string {
      if constexpr (requires { rows.indices; }) {
        return encode_nrb(rows, facts);
      } else {
        throw Refusal("BadType", "only sparse rows can be written as a block");
      }
    }, block.rows);
    return nb::bytes(bytes.data(), bytes.size());
  }, "matrix"_a, "labels"_a, "weights"_a.none(), "groups"_a.none(),
        nb::sig("def encode_nrb(matrix: Matrix, labels: typing.Any, weights: typing.Any, groups: typing.Any) -> bytes"), "Sparse rows as a block of an .nrb file.");
  m.def("decode_nrb", [](nb::handle bytes) {
    const Text text(bytes);
    nb::gil_scoped_release release;
    return decode_nrb(parseable(text));
  }, "block"_a, nb::sig("def decode_nrb(block: typing.Any) -> Parsed"), "A block of an .nrb file as rows.");
  m.def("checksum", [](nb::handle bytes) { return Xxh64::of(Text(bytes).view()); }, "bytes"_a, nb::sig("def checksum(bytes: typing.Any) -> int"), "XXH64 with seed 0.");
}

}  // namespace

void bind_parsers(nb::module_& m) {
  bind_parsed(m);
  bind_csv(m);
  bind_nrb(m);
  nb::class_<Vocabulary>(m, "Vocabulary", "The names of a stream, each with its column. A sequence of strings.")
      .def(nb::init<std::size_t>(), "most"_a)
      .def("__len__", &Vocabulary::size)
      .def("__getitem__", &name_at, "column"_a)
      .def("add", [](Vocabulary& names, std::string_view name) {
        const std::uint32_t column = names.add(Key(name));
        return column == kUnknown ? std::int64_t{-1} : std::int64_t{column};
      }, "name"_a, "The column of a name, old or new; -1 when there are too many.");
  m.attr("HASH_VERSION") = kHashVersion;
  m.def("hash_name", [](std::string_view name, int bits) { return Hasher(bits).name(name); }, "name"_a, "bits"_a, "The number below 2^bits that stands for a name.");
  m.def("hash_number", [](std::int64_t number, int bits) { return Hasher(bits).number(number); }, "number"_a, "bits"_a, "The number below 2^bits that stands for a numbered feature.");
  m.def("parse_libsvm", [](nb::handle bytes, bool skip, int bits) {
    const Text text(bytes);
    nb::gil_scoped_release release;
    return parse_libsvm(parseable(text), skip, bits);
  }, "text"_a, "skip"_a = false, "bits"_a = -1, nb::sig("def parse_libsvm(text: typing.Any, skip: bool = False, bits: int = -1) -> Parsed"), "Parses whole lines of libsvm text.");
  m.def("parse_vw", [](nb::handle bytes, const Vocabulary* names, bool skip, int bits) {
    const Text text(bytes);
    if (names == nullptr && bits < 0) throw Refusal("BadParameter", "names need a vocabulary or bits");
    nb::gil_scoped_release release;
    return parse_vw(parseable(text), skip, Naming(names, bits));
  }, "text"_a, "names"_a.none(), "skip"_a = false, "bits"_a = -1,
     nb::sig("def parse_vw(text: typing.Any, names: Vocabulary | None, skip: bool = False, bits: int = -1) -> Parsed"), "Parses whole lines of Vowpal Wabbit text.");
}

}  // namespace noregret
