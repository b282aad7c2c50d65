// What stands at the end of a Parquet file: where the pages of its columns are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace noregret {

// A column in a row group.
struct FooterChunk {
  std::int64_t type = -1, codec = -1;  // numbers of Parquet's
  std::uint64_t encodings = 0;         // a bit for each that its pages have
  std::int64_t values = 0;             // cells, missing ones too
  std::int64_t data = -1, dictionary = -1;  // where its first page of cells is, and its list of values
  bool elsewhere = false;              // in another file, or locked
};

struct FooterGroup {
  std::int64_t rows = 0;
  std::vector<FooterChunk> chunks;
};

// Throws Refusal when it is damaged.
std::vector<FooterGroup> read_footer(std::string_view bytes);

}  // namespace noregret
