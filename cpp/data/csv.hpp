// Tables in text: cells between separators, rows between line ends, quotes as in RFC 4180 unless the
// separator is a tab.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "naming.hpp"

namespace noregret {

enum class ColumnKind : std::uint8_t { drop, number, category, text, label, weight };

struct TableColumn {
  ColumnKind kind = ColumnKind::drop;
  std::string name;
  std::string prefix;         // of categories and words: "name="
  std::int32_t feature = -1;  // of numbers: which feature they are
};

struct TableShape {
  std::vector<TableColumn> columns;
  char separator = ',';
};

// Parses whole rows, up to the first that is at fault; with `skip`, past it. A cell that is empty or
// says NA, NaN, null, none or ? is missing; among numbers true is 1 and false is 0. Bytes are never read past the end of `text`.
Parsed parse_csv(std::string_view text, const TableShape& shape, bool skip, Naming naming);

// Where the last whole row ends in text that begins with a row; 0 when there is none.
std::size_t csv_cut(std::string_view text, char separator);

}  // namespace noregret
