#include "block_rows.hpp"

#include <variant>

namespace noregret {
namespace {

void resolve(const auto& x, const Block& block, const Features& features, std::vector<std::uint32_t>& slots, Resolved& row) {
  row.clear(x.size);
  row.kind = block.columns ? FeatureKind::name : FeatureKind::index;
  row.width = block.width;
  for (std::size_t k = 0; k < x.size; ++k) {
    if (!is_there(x, k)) continue;
    const std::ptrdiff_t column = x.slot(k);
    require_index(column);
    if (!block.columns) {
      row.push_index(features, column, x.value(k));
      continue;
    }
    const auto at = static_cast<std::size_t>(column);
    if (at >= slots.size()) throw Refusal("BadInput", "column " + std::to_string(column) + " has no name");
    if (slots[at] != kUnknown) {
      row.push(slots[at], x.value(k));
    } else {
      row.push_name(features, block.columns[at], Names::hash(block.columns[at]), x.value(k));
      slots[at] = row.slot(row.size() - 1);
    }
  }
}

}  // namespace

void resolve_row(const Block& block, std::size_t r, const Features& features, std::vector<std::uint32_t>& slots, Resolved& row) {
  std::visit([&](const auto& rows) { resolve(rows.row(r, false), block, features, slots, row); }, block.rows);
}

void remember_columns(const Block& block, std::size_t r, const Resolved& row, std::vector<std::uint32_t>& slots) {
  std::visit(
      [&](const auto& rows) {
        const auto x = rows.row(r, false);
        for (std::size_t k = 0, found = 0; k < x.size; ++k) {
          if (is_there(x, k)) slots[static_cast<std::size_t>(x.slot(k))] = row.slot(found++);
        }
      },
      block.rows);
}

}  // namespace noregret
