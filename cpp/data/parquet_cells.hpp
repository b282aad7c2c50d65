// The cells of a column of a Parquet file, out of its pages: numbers, or places in a list of words.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "column.hpp"

namespace noregret {

// What a cell is, by what it takes in memory; a truth is a byte there, and a bit in a page.
enum class CellKind { truth, four, eight, word };

// Words one after the other, as Arrow keeps them.
struct Words {
  std::vector<std::int32_t> starts{0};
  std::vector<char> letters;

  std::uint32_t add(std::string_view word);  // which one it is
  std::size_t size() const { return starts.size() - 1; }
};

// What the places in a page point to.
struct PageDictionary {
  PageDictionary(CellKind kind, std::string_view page, std::size_t count);

  CellKind kind;
  std::string_view numbers;  // where they lie in the page
  std::shared_ptr<const Words> words;
};

// Where to begin in the middle of a page, at every so many cells: how many values there are before, and of words how many bytes.
struct PageMarks {
  static constexpr std::size_t kStep = 4096;
  std::vector<std::size_t> values{0}, bytes{0};
};

// Some cells of a page.
struct PagePart {
  std::string_view levels, values;  // which cells are there, and what stands in those
  bool levels_within;               // as in version 1: they stand at the start of the values
  std::int64_t encoding;
  std::size_t skip, take;  // cells
  const PageMarks* marks;  // null: from the start
};

// The marks of a page, a part of which was told to be all of it.
PageMarks mark(CellKind kind, bool optional, PagePart page);

struct PageCells {
  const char* first = nullptr;  // the cells: in `own`, or where they lie in their page
  Column<char> own;             // a missing one is 0
  std::vector<char> present;  // a bit for each, if one is missing
  std::size_t missing = 0;
  std::shared_ptr<const Words> words;
  std::shared_ptr<void> page;  // whose bytes they lie in, when it is not `own`
};

// The cells of these parts, one part behind the other. Numbers that lie in one page as they do in memory
// stay there. Throws Refusal when a page is damaged.
PageCells read_cells(CellKind kind, bool optional, const PageDictionary* dictionary, const std::vector<PagePart>& parts);

// The doubles of a part where they lie; null when they do not lie there as in memory.
const double* doubles_in(bool optional, const PagePart& part);

}  // namespace noregret
