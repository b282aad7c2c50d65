// What stands in front of every page of a Parquet file: https://parquet.apache.org/docs/file-format/
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace noregret {

enum class PageKind : std::int32_t { data = 0, index = 1, dictionary = 2, data_v2 = 3 };

struct PageHeader {
  std::int64_t bytes = 0;  // of the header itself
  std::int64_t kind = -1;  // PageKind
  std::int64_t raw = -1, stored = -1;  // bytes of the page, before it was compressed and as it lies in the file
  std::int64_t values = -1;            // missing ones too
  std::int64_t encoding = -1;          // of the values
  std::int64_t level_bytes = -1;       // version 2: which cells are there, in front of the page and never compressed
  bool levels_in_runs = true;          // and not as in the first years
  bool compressed = true;              // the values
};

// The header at the start of these bytes; none when it goes on behind them. Throws Refusal when there is none.
std::optional<PageHeader> read_page_header(std::string_view bytes);

}  // namespace noregret
