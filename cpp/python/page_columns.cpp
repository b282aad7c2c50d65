// What Python does with columns out of Parquet's pages: look their words up, count their labels, or hand them over to Arrow.
#include "page_columns.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <array>
#include <memory>
#include <optional>

#include "arrow_memory.hpp"
#include "bindings.hpp"
#include "present.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

// What an Arrow array is made of, which goes when whoever has the array lets go of it.
template <class Held>
void hand_over(std::unique_ptr<Held> held, ArrowArray& array) {
  array.private_data = held.release();
  array.release = [](ArrowArray* given) {
    for (std::int64_t k = 0; k < given->n_children; ++k) {
      if (given->children[k]->release != nullptr) given->children[k]->release(given->children[k]);
    }
    if (given->dictionary != nullptr && given->dictionary->release != nullptr) given->dictionary->release(given->dictionary);
    delete static_cast<Held*>(given->private_data);
    given->release = nullptr;
  };
}

struct HeldWords {
  std::shared_ptr<const Words> words;
  std::array<const void*, 3> buffers;
};

void give(std::shared_ptr<const Words> words, ArrowArray& array) {
  auto held = std::make_unique<HeldWords>();
  held->words = std::move(words);
  const Words& found = *held->words;
  held->buffers = {nullptr, found.starts.data(), found.letters.empty() ? "" : found.letters.data()};
  array = {static_cast<std::int64_t>(found.size()), 0, 0, 3, 0, held->buffers.data(), nullptr, nullptr, nullptr, nullptr};
  hand_over(std::move(held), array);
}

struct HeldCells {
  PageCells cells;
  std::array<const void*, 2> buffers;
  ArrowArray words;
};

void give(PageCells cells, std::size_t rows, ArrowArray& array) {
  auto held = std::make_unique<HeldCells>();
  held->cells = std::move(cells);
  const PageCells& found = held->cells;
  held->buffers = {found.missing > 0 ? found.present.data() : nullptr, found.first};
  array = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(found.missing), 0, 2, 0, held->buffers.data(), nullptr, nullptr, nullptr, nullptr};
  if (found.words != nullptr) {
    give(found.words, held->words);
    array.dictionary = &held->words;
  }
  hand_over(std::move(held), array);
}

struct HeldBatch {
  std::vector<ArrowArray> columns;
  std::vector<ArrowArray*> places;
  std::array<const void*, 1> buffers{nullptr};
};

nb::capsule give(std::vector<PageCells> columns, std::size_t rows) {
  auto held = std::make_unique<HeldBatch>();
  held->columns.resize(columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    give(std::move(columns[j]), rows, held->columns[j]);
    held->places.push_back(&held->columns[j]);
  }
  auto array = std::make_unique<ArrowArray>(ArrowArray{static_cast<std::int64_t>(rows), 0, 0, 1, static_cast<std::int64_t>(columns.size()), held->buffers.data(), held->places.data(), nullptr, nullptr, nullptr});
  hand_over(std::move(held), *array);
  return nb::capsule(array.release(), "arrow_array", [](void* lent) noexcept {
    auto* array = static_cast<ArrowArray*>(lent);
    if (array->release != nullptr) array->release(array);
    delete array;
  });
}

Present present_in(const PageCells& column) {
  return {column.missing > 0 ? reinterpret_cast<const std::uint8_t*>(column.present.data()) : nullptr};
}

const std::uint32_t* codes_in(const PageCells& column) { return reinterpret_cast<const std::uint32_t*>(column.first); }

std::shared_ptr<Words> words_in(const PageColumns& columns, std::size_t k) { return std::const_pointer_cast<Words>(columns.cells.at(k).words); }

nb::list spelt(const Words& words) {
  nb::list found;
  for (std::size_t k = 0; k < words.size(); ++k) {
    PyObject* word = PyUnicode_DecodeUTF8(words.letters.data() + words.starts[k], words.starts[k + 1] - words.starts[k], nullptr);
    if (word == nullptr) throw nb::python_error();
    found.append(nb::steal(word));
  }
  return found;
}

bool equal(const Words& one, const Words& other) { return &one == &other || (one.starts == other.starts && one.letters == other.letters); }

bool put_words(const PageColumns& columns, std::size_t k, const nb::object& table, const nb::object& to) {
  const PageCells& column = columns.cells.at(k);
  if (column.words == nullptr) throw Refusal("BadInput", "a column of numbers has no words");
  const Buffer features(table, "a table of features"), cells(to, "a column", true);
  return put_features(codes_in(column), present_in(column), {features.data<double>(), features.length()}, {sized<double>(cells, columns.rows), columns.rows});
}

// Where the word of each row stands in the list, −1 where it is missing; or, of numbers of a letter of Arrow's, in a list of those there
// are. None when these are many, or one is missing.
nb::object places_in(const PageColumns& columns, std::size_t k, char letter) {
  const PageCells& column = columns.cells.at(k);
  if (column.words == nullptr) return places_given({cells_at(letter, column.first, 0), present_in(column)}, columns.rows);
  if (column.words->size() > columns.rows) return nb::none();
  Column<std::int64_t> places(columns.rows);
  const Present present = present_in(column);
  for (std::size_t r = 0; r < columns.rows; ++r) places.put(codes_in(column)[r]);
  for (std::size_t r = 0; r < columns.rows && !present.all(); ++r) places[r] = present.has(r) ? places[r] : -1;
  return nb::make_tuple(given(std::move(places)), words_in(columns, k));
}

nb::capsule in_arrow(PageColumns& columns) {
  if (std::exchange(columns.given_away, true)) throw Refusal("BadInput", "these cells were given away");
  return give(std::exchange(columns.cells, {}), columns.rows);
}

}  // namespace

void bind_page_columns(nb::module_& m) {
  nb::class_<Words>(m, "PageWords", "A list of words that cells point to.")
      .def("__len__", &Words::size)
      .def("equals", &equal, "other"_a, "Whether another list has the same words.")
      .def("to_pylist", &spelt, nb::sig("def to_pylist(self) -> list[str]"), "Gives the words.");
  nb::class_<PageColumns>(m, "PageColumns", "Columns out of the pages of a Parquet file.")
      .def("__len__", [](const PageColumns& columns) { return columns.rows; })
      .def("words", &words_in, "column"_a, nb::sig("def words(self, column: int) -> PageWords | None"), "Gives the list that the cells of a column point to; None when they are numbers.")
      .def("put_words", &put_words, "column"_a, "table"_a, "to"_a, nb::sig("def put_words(self, column: int, table: typing.Any, to: typing.Any) -> bool"),
           "Writes down the feature of each word, of which the table has those of the list, and NaN where a word is missing; says whether none is.")
      .def("places", &places_in, "column"_a, "letter"_a, nb::sig("def places(self, column: int, letter: str) -> tuple[typing.Any, PageWords | list[typing.Any]] | None"),
           "Finds where the word of each row stands in its list, -1 for a missing one; or its number, which is of this letter of Arrow's, in a list of those there are. None when these are many, or one is missing.")
      .def("in_arrow", &in_arrow, nb::sig("def in_arrow(self) -> object"), "Gives the cells away, as a record batch in Arrow's memory.");
}

}  // namespace noregret
