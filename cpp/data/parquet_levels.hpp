// The bytes of a page, and which of its cells are there.
#pragma once

#include <array>
#include <bit>
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

// The bits of every byte, each as a byte of its own.
inline constexpr auto kBits = [] {
  std::array<std::array<char, 8>, 256> found{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned k = 0; k < 8; ++k) found[byte][k] = static_cast<char>(byte >> k & 1);
  }
  return found;
}();

// Puts bits where they go, each as a byte; gives how many are 1.
inline std::size_t put_bits(const char* bytes, std::size_t skip, std::size_t count, char* to) {
  std::size_t ones = 0;
  const auto put = [&](std::size_t from, std::size_t some) {
    const auto& bits = kBits[static_cast<std::uint8_t>(*bytes++)];
    for (std::size_t k = 0; k < some; ++k) ones += static_cast<std::size_t>(*to++ = bits[from + k]);
    count -= some;
  };
  if (skip > 0) put(skip, std::min(count, 8 - skip));
  for (; count >= 8; count -= 8, to += 8) {
    const auto byte = static_cast<std::uint8_t>(*bytes++);
    std::memcpy(to, kBits[byte].data(), 8);
    ones += static_cast<std::size_t>(std::popcount(byte));
  }
  if (count > 0) put(0, count);
  return ones;
}

// How many of the next cells are there.
inline std::size_t count_there(Runs& runs, std::size_t cells) {
  std::size_t found = 0;
  runs.take_bits(cells, [&](std::uint32_t value, std::size_t count) { found += value != 0 ? count : 0; },
                 [&](const char* bytes, std::size_t skip, std::size_t count) {
                   for (std::size_t k = skip; k < skip + count; ++k) found += static_cast<std::uint8_t>(bytes[k / 8]) >> k % 8 & 1;
                 });
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
  runs.take_bits(take,
                 [&](std::uint32_t value, std::size_t count) {
                   if (value == 0 && found.there.empty()) found.there.assign(take, 1);
                   if (value == 0) std::fill_n(found.there.begin() + static_cast<std::ptrdiff_t>(seen), count, 0);
                   found.take += value != 0 ? count : 0;
                   seen += count;
                 },
                 [&](const char* bytes, std::size_t skip, std::size_t count) {
                   if (found.there.empty()) found.there.assign(take, 1);
                   found.take += put_bits(bytes, skip, count, found.there.data() + seen);
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
