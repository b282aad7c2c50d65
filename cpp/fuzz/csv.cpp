#include "../data/csv.hpp"

#include "harness.hpp"

using namespace noregret;

namespace {

TableShape shape_of(char separator) {
  TableShape shape;
  shape.separator = separator;
  const ColumnKind kinds[] = {ColumnKind::number, ColumnKind::category, ColumnKind::text, ColumnKind::weight, ColumnKind::label};
  for (std::size_t k = 0; k < std::size(kinds); ++k) {
    const std::string name(1, static_cast<char>('a' + k));
    shape.columns.push_back({kinds[k], name, name + "=", kinds[k] == ColumnKind::number ? 0 : -1});
  }
  return shape;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const TableShape shapes[] = {shape_of(','), shape_of('\t')};
  const TableShape& shape = shapes[size % 5 == 0];
  Vocabulary names(20);  // few, so that some are left out
  names.add(Key("a"));
  Parsed rows = parse_csv(text, shape, size % 2 == 0, Naming(&names, -1));
  rows.settle(names);
  check(rows, text);
  for (std::size_t k = 0; k < rows.indices.size(); ++k) must(static_cast<std::size_t>(rows.indices[k]) < names.size(), "an index is a name");
  for (std::size_t r = 0; r < rows.label_codes.size(); ++r) must(rows.label_codes[r] < static_cast<std::int64_t>(rows.label_words.size()), "a code is a word");

  const std::size_t cut = csv_cut(text, shape.separator);
  must(cut <= size && (cut == 0 || text[cut - 1] == '\n'), "a cut is behind the end of a line");
  check(parse_csv(text.substr(0, cut), shape, true, Naming(nullptr, 6)), text);
  return 0;
}
