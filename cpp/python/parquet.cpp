// Pages of Parquet files, whose rows are read a piece at a time.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "../data/parquet_ahead.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "page_columns.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

// Memory as Python sees it, for the length of a call.
nb::object viewed(char* bytes, std::size_t count, int how) {
  return nb::steal(PyMemoryView_FromMemory(bytes, static_cast<Py_ssize_t>(count), how));
}

// How a codec is undone: snappy and zstd here, others by what Python gives.
Compression compression_of(nb::handle codec) {
  if (codec.is_none()) return {};
  if (nb::isinstance<nb::str>(codec)) return nb::cast<std::string>(codec) == "zstd" ? Compression::zstd() : Compression::snappy();
  const std::shared_ptr<nb::object> kept(new nb::object(nb::borrow(codec)), [](nb::object* function) {
    nb::gil_scoped_acquire acquire;
    delete function;
  });
  Unpack unpack = [kept](const Fetch& fetch, std::size_t packed, char* to, std::size_t size) {
    Column<char> bytes(packed + 1);
    fetch(0, {{{bytes.data(), packed}}});
    nb::gil_scoped_acquire acquire;
    const nb::object from = viewed(bytes.data(), packed, PyBUF_READ), room = viewed(to, size, PyBUF_WRITE);
    const auto count = nb::cast<std::size_t>((*kept)(from, room));
    if (count != size) throw Refusal("BadFile", "a page has another size than it says");
  };
  return {std::move(unpack), nullptr, true};
}

// A file, its row groups, and how its compressions are undone.
class Pages {
 public:
  Pages(const std::string& path, const nb::dict& codecs) : file_(std::make_shared<const PageFile>(path)), groups_(file_->groups()) {
    for (const auto [number, codec] : codecs) compressions_[nb::cast<std::int64_t>(number)] = compression_of(codec);
  }

  std::size_t size() const { return groups_.size(); }

  // The rows of a group; nothing when a column is kept in a way that is not known here.
  std::optional<PageGroup> group(std::size_t number, const std::vector<std::tuple<std::size_t, CellKind, bool>>& columns, std::size_t most) const {
    if (number >= groups_.size()) throw nb::index_error("there is no such row group");
    const FooterGroup& group = groups_[number];
    std::vector<PageColumn> found;
    for (const auto& [place, kind, optional] : columns) {
      if (place >= group.chunks.size() || !knows(group.chunks[place], kind)) return std::nullopt;
      const FooterChunk& chunk = group.chunks[place];
      const std::int64_t first = chunk.dictionary > 0 && chunk.dictionary < chunk.data ? chunk.dictionary : chunk.data;
      found.push_back({kind, optional, first, chunk.values, compressions_.at(chunk.codec)});
    }
    return PageGroup(file_, std::move(found), static_cast<std::size_t>(std::max<std::int64_t>(group.rows, 0)), most);
  }

 private:
  bool knows(const FooterChunk& chunk, CellKind kind) const {
    constexpr std::uint64_t kEncodings = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 8;  // plain, two of places, runs, and what old files say of levels
    return !chunk.elsewhere && compressions_.contains(chunk.codec) && (chunk.encodings & ~kEncodings) == 0 && chunk.data > 0 && fits(chunk.type, kind);
  }
  static bool fits(std::int64_t type, CellKind kind) {
    switch (kind) {
      case CellKind::truth: return type == 0;
      case CellKind::four: return type == 1 || type == 4;
      case CellKind::eight: return type == 2 || type == 5;
      default: return type == 6;
    }
  }

  std::shared_ptr<const PageFile> file_;
  std::vector<FooterGroup> groups_;
  std::map<std::int64_t, Compression> compressions_;
};

PageColumns read_piece(const PagePiece& piece) {
  nb::gil_scoped_release release;
  return {piece.read(), piece.rows};
}

// Rows that are read ahead, by threads that only one process has.
class Ahead {
 public:
  Ahead(const std::vector<PageGroup>& groups, std::vector<std::pair<std::size_t, char>> numbers, std::vector<std::size_t> others, std::size_t threads)
      : process_(getpid()), pages_(std::make_unique<PagesAhead>(groups, WantedPages{std::move(numbers), std::move(others)}, threads)) {}
  ~Ahead() {
    nb::gil_scoped_release release;
    if (getpid() != process_) static_cast<void>(pages_.release());  // the threads are not here, and may hold locks for ever
    pages_.reset();
  }

  nb::object next(bool is_plain) {
    std::optional<ReadPages> found;
    {
      nb::gil_scoped_release release;
      found = pages_->next(is_plain);
    }
    if (!found) return nb::none();
    const std::size_t rows = found->piece.rows;
    nb::object piece = nb::cast(std::move(found->piece));
    if (!found->found) return nb::make_tuple(piece, nb::none(), nb::none());
    nb::object numbers = numbers_given(std::move(found->found->numbers));
    return nb::make_tuple(piece, numbers, PageColumns{std::move(found->found->others), rows});
  }

 private:
  pid_t process_;
  std::unique_ptr<PagesAhead> pages_;
};

nb::object read_numbers(const PagePiece& piece, const std::vector<std::pair<std::size_t, char>>& columns) {
  std::optional<Stacked> found;
  {
    nb::gil_scoped_release release;
    found = piece.numbers(columns);
  }
  return found ? numbers_given(std::move(*found)) : nb::none();
}

}  // namespace

void bind_parquet(nb::module_& m) {
  bind_page_columns(m);
  nb::enum_<CellKind>(m, "CellKind", "What a cell of a Parquet file is, by its size.")
      .value("truth", CellKind::truth)
      .value("four", CellKind::four)
      .value("eight", CellKind::eight)
      .value("word", CellKind::word);
  m.def("has_zstd", &has_zstd, "Whether the system has a library that undoes zstd.");
  nb::class_<PagePiece>(m, "PagePiece", "Some rows of a row group. Their pages are read when the rows are.")
      .def("__len__", [](const PagePiece& piece) { return piece.rows; })
      .def("read", &read_piece, "Reads the cells.")
      .def("numbers", &read_numbers, "columns"_a, nb::sig("def numbers(self, columns: list[tuple[int, str]]) -> tuple[typing.Any, bool] | None"),
           "Reads the cells of these columns, each with Arrow's letter for its numbers, into a matrix whose columns are whole, with room where the letter is a blank and NaN where a cell is missing; says whether none is. None when a letter is not known.")
      .def("only", &PagePiece::only, "columns"_a, "Gives the same rows of these columns.");
  nb::class_<PageGroup>(m, "PageGroup", "The rows of a row group, in pieces.")
      .def_prop_ro("asks_python", &PageGroup::asks_python, "Whether a compression is undone by a function of Python.")
      .def("next", &PageGroup::next, nb::call_guard<nb::gil_scoped_release>(), "Gives the next rows; None behind the last.");
  nb::class_<Ahead>(m, "PagesAhead", "The rows of row groups, read by threads ahead of whoever asks for them.")
      .def(nb::init<const std::vector<PageGroup>&, std::vector<std::pair<std::size_t, char>>, std::vector<std::size_t>, std::size_t>(), "groups"_a, "numbers"_a, "others"_a, "threads"_a,
           "Groups none of which asks Python for anything, columns of numbers as in PagePiece.numbers(), others, and how many threads, with that of whoever asks.")
      .def("next", &Ahead::next, "is_plain"_a, nb::sig("def next(self, is_plain: bool) -> tuple[PagePiece, tuple[typing.Any, bool] | None, PageColumns | None] | None"),
           "Gives the next rows, their numbers as PagePiece.numbers() does, and the others; None behind the last. Without the latter two when there are no numbers, and soon behind that, or when it is told not to be plain.");
  nb::class_<Pages>(m, "Pages", "A Parquet file whose pages are read.")
      .def(nb::init<const std::string&, const nb::dict&>(), "path"_a, "codecs"_a, nb::sig("def __init__(self, path: str, codecs: dict[int, typing.Any]) -> None"),
           "Codecs by Parquet's number: None for no compression, \"snappy\", \"zstd\", or a function of bytes and of where they go, which says how many.")
      .def("__len__", &Pages::size, "How many row groups there are.")
      .def("group", &Pages::group, "number"_a, "columns"_a, "most"_a,
           "Gives the rows of a row group, at most so many at once. A column is its place, its kind, and whether cells may be missing. None when the core cannot read one of them.");
}

}  // namespace noregret
