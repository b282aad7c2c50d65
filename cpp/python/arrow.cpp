// Record batches of Arrow, as they lie in memory.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "../data/stacked.hpp"
#include "arrays.hpp"
#include "arrow_memory.hpp"
#include "bindings.hpp"
#include "present.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

// NaN where a cell is missing.
void put_present(const PresentCells& from, Stacked& to, std::size_t column) {
  to.whole = to.put(column, from.cells) && to.whole;
  if (from.present.all()) return;
  for (std::size_t r = 0; r < to.rows; ++r) {
    if (from.present.has(r)) continue;
    to.at(column)[r] = kMissing;
    to.whole = false;
  }
}

// A record batch that stays with whoever lent it.
class Lent {
 public:
  Lent(const nb::capsule& schema, const nb::capsule& array)
      : schema_(*opened<ArrowSchema>(schema, "arrow_schema")), array_(*opened<ArrowArray>(array, "arrow_array")) {
    if (std::strcmp(schema_.format, "+s") != 0 || schema_.n_children != array_.n_children) throw Refusal("BadType", "this is not a record batch");
  }

  std::size_t rows() const { return static_cast<std::size_t>(array_.length); }

  // The cells of a column that holds numbers; else one number.
  PresentCells cells(const std::string& name) {
    const std::int64_t place = find(name);
    if (place < 0) return {0.0};
    const ArrowArray& column = *array_.children[place];
    if (column.dictionary != nullptr || column.n_buffers != 2 || std::strlen(schema_.children[place]->format) != 1) return {0.0};
    const std::int64_t first = array_.offset + column.offset;
    return {cells_at(schema_.children[place]->format[0], column.buffers[1], first), {bits(column), static_cast<std::size_t>(first)}};
  }

  // Writes down the feature of each cell of a column of places in a list of words, of which `table` has those, and NaN where one is
  // missing. Says whether none is; nothing when it is another column.
  std::optional<bool> put_features(const std::string& name, std::span<const double> table, double* to) {
    const std::int64_t place = find(name);
    if (place < 0) return std::nullopt;
    const ArrowArray& column = *array_.children[place];
    if (column.dictionary == nullptr) return std::nullopt;
    switch (schema_.children[place]->format[0]) {
      case 'c': return put_features<std::int8_t>(column, table, to);
      case 'C': return put_features<std::uint8_t>(column, table, to);
      case 's': return put_features<std::int16_t>(column, table, to);
      case 'S': return put_features<std::uint16_t>(column, table, to);
      case 'i': return put_features<std::int32_t>(column, table, to);
      case 'I': return put_features<std::uint32_t>(column, table, to);
      default: return std::nullopt;
    }
  }

 private:
  template <class T>
  bool put_features(const ArrowArray& column, std::span<const double> table, double* to) const {
    const auto first = static_cast<std::size_t>(array_.offset + column.offset);
    return noregret::put_features(static_cast<const T*>(column.buffers[1]) + first, {bits(column), first}, table, {to, rows()});
  }
  // Which cells are there; null when all are.
  static const std::uint8_t* bits(const ArrowArray& column) { return column.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(column.buffers[0]); }
  template <class T>
  static const T* opened(const nb::capsule& capsule, const char* name) {
    auto* found = static_cast<const T*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (found == nullptr) throw nb::python_error();
    if (found->release == nullptr) throw Refusal("BadType", "this record batch was given back already");
    return found;
  }
  // Columns are mostly asked for in the order in which they stand.
  std::int64_t find(const std::string& name) {
    for (std::int64_t k = 0; k < schema_.n_children; ++k) {
      const std::int64_t place = (next_ + k) % schema_.n_children;
      if (name != schema_.children[place]->name) continue;
      next_ = place + 1;
      return place;
    }
    return -1;
  }

  const ArrowSchema& schema_;
  const ArrowArray& array_;
  std::int64_t next_ = 0;
};

nb::object arrow_numbers(const nb::capsule& schema, const nb::capsule& array, const std::vector<std::optional<std::string>>& names) {
  Lent batch(schema, array);
  std::vector<std::optional<PresentCells>> columns;
  for (const auto& name : names) {
    columns.push_back(name ? std::optional(batch.cells(*name)) : std::nullopt);
    if (name && !columns.back()->are_numbers()) return nb::none();
  }
  Stacked stacked(batch.rows(), columns.size());
  {
    nb::gil_scoped_release release;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j]) put_present(*columns[j], stacked, j);
    }
  }
  return numbers_given(std::move(stacked));
}

// Nothing when the column is no list of words.
std::optional<bool> arrow_words(const nb::capsule& schema, const nb::capsule& array, const std::string& name, const nb::object& table, const nb::object& to) {
  Lent batch(schema, array);
  const Buffer features(table, "a table of features");
  const Buffer cells(to, "a column", true);
  return batch.put_features(name, {features.data<double>(), features.length()}, sized<double>(cells, batch.rows()));
}

nb::object arrow_places(const nb::capsule& schema, const nb::capsule& array, const std::string& name) {
  Lent batch(schema, array);
  return places_given(batch.cells(name), batch.rows());
}

}  // namespace

void bind_arrow(nb::module_& m) {
  m.def("arrow_numbers", &arrow_numbers, "schema"_a, "array"_a, "names"_a, nb::sig("def arrow_numbers(schema: object, array: object, names: list[str | None]) -> tuple[typing.Any, bool] | None"),
        "Gives these columns of a record batch as a matrix whose columns are whole, with room where a name is None and NaN where a cell is missing; says whether none is. None when one holds other than plain numbers.");
  m.def("arrow_words", &arrow_words, "schema"_a, "array"_a, "name"_a, "table"_a, "to"_a,
        nb::sig("def arrow_words(schema: object, array: object, name: str, table: typing.Any, to: typing.Any) -> bool | None"),
        "Writes down the feature of each cell of a column that points to a list of words, whose features `table` has, and NaN where a cell is missing; says whether none is. None when the column is another.");
  m.def("arrow_places", &arrow_places, "schema"_a, "array"_a, "name"_a, nb::sig("def arrow_places(schema: object, array: object, name: str) -> tuple[typing.Any, list[typing.Any]] | None"),
        "Finds the few different numbers of a column, and which of them is where. None when there are many, or it holds others than plain numbers.");
}

}  // namespace noregret
