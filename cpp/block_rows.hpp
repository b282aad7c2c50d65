// What both loops do with the rows of a block: look up, name in a refusal, write down.
#pragma once

#include <string>
#include <vector>

#include "learner.hpp"
#include "refusal.hpp"

namespace noregret {

// Names the row in whatever is refused while it is worked on.
decltype(auto) at_row(std::size_t r, auto&& work) {
  try {
    return work();
  } catch (Refusal& refusal) {
    refusal.row = static_cast<std::int64_t>(r);
    throw;
  }
}

inline void write(const Said& said, std::size_t r, double score, double prediction) {
  if (said.predictions) said.predictions[r] = prediction;
  if (said.scores) said.scores[r] = score;
}

// Looks up the features of row r. `slots` has, and remembers, the slots of named columns.
void resolve_row(const auto& rows, std::size_t r, const Block& block, const Features& features, std::vector<std::uint32_t>& slots,
                 Resolved& row) {
  const auto x = rows.row(r, false);
  row.clear(x.size);
  row.kind = block.columns ? FeatureKind::name : FeatureKind::index;
  row.width = block.width;
  for (std::size_t k = 0; k < x.size; ++k) {
    const std::ptrdiff_t column = x.slot(k);
    if (column < 0 || column > kLargestIndex) {
      throw Refusal("BadInput", "feature " + std::to_string(column) + " is out of range: 0 to 2147483646");
    }
    if (!block.columns) {
      row.push_index(features, column, x.value(k));
      continue;
    }
    const auto at = static_cast<std::size_t>(column);
    if (at >= slots.size()) throw Refusal("BadInput", "column " + std::to_string(column) + " has no name");
    if (slots[at] != kUnknown) {
      row.push(slots[at], x.value(k));
    } else {
      row.push_name(features, block.columns[at], x.value(k));
      slots[at] = row.slot(k);
    }
  }
}

}  // namespace noregret
