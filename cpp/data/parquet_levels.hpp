// The bytes of a page, and which of its cells are there.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "../refusal.hpp"
#include "parquet_cells.hpp"
#include "parquet_runs.hpp"

namespace noregret {

[[noreturn]] inline void refuse_page(const char* why) { throw Refusal("BadFile", why); }

inline std::string_view cut(std::string_view& bytes, std::size_t count) {
  if (count > bytes.size()) refuse_page("a page ends before its cells do");
  const std::string_view found = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return found;
}

// Bytes with their number in front of them.
inline std::string_view cut_counted(std::string_view& bytes) {
  std::uint32_t count;
  std::memcpy(&count, cut(bytes, 4).data(), 4);
  return cut(bytes, count);
}

// Which cells of a part are there.
struct Levels {
  std::vector<char> there;  // a byte for each cell; nothing when all are there
  std::size_t skip, take;   // values, not cells
};

// How many of the next cells are there.
inline std::size_t count_there(Runs& runs, std::size_t cells) {
  std::size_t found = 0;
  runs.take(cells, [&](std::uint32_t value, std::size_t count) { found += value != 0 ? count : 0; },
            [&](const std::uint32_t* values, std::size_t count) { for (std::size_t k = 0; k < count; ++k) found += values[k]; });
  return found;
}

// The last mark before a cell, or before a value: 0 is the start.
inline std::size_t mark_before(const PageMarks* marks, std::size_t skip) { return marks == nullptr ? 0 : skip / PageMarks::kStep; }

inline Levels read_levels(std::string_view levels, std::size_t skip, std::size_t take, const PageMarks* marks) {
  Levels found{{}, 0, 0};
  Runs runs(levels, 1);
  const std::size_t mark = mark_before(marks, skip);
  if (mark > 0) found.skip = marks->values[mark];
  runs.skip(mark * PageMarks::kStep);
  found.skip += count_there(runs, skip - mark * PageMarks::kStep);
  std::size_t seen = 0;
  runs.take(take,
            [&](std::uint32_t value, std::size_t count) {
              if (value == 0 && found.there.empty()) found.there.assign(take, 1);
              if (value == 0) std::fill_n(found.there.begin() + static_cast<std::ptrdiff_t>(seen), count, 0);
              found.take += value != 0 ? count : 0;
              seen += count;
            },
            [&](const std::uint32_t* values, std::size_t count) {
              if (found.there.empty()) found.there.assign(take, 1);
              char* to = found.there.data() + seen;
              std::uint32_t there = 0;
              for (std::size_t k = 0; k < count; ++k) {
                to[k] = static_cast<char>(values[k]);  // 0 or 1: a bit
                there += values[k];
              }
              found.take += there;
              seen += count;
            });
  if (found.take == take) found.there.clear();
  return found;
}

// Leaves the values of a part without what tells which cells are there.
inline Levels cut_levels(PagePart& part, bool optional) {
  if (!optional) return {{}, part.skip, part.take};
  return read_levels(part.levels_within ? cut_counted(part.values) : part.levels, part.skip, part.take, part.marks);
}

}  // namespace noregret
