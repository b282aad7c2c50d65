// What both loops do with the rows of a block: look up, name in a refusal, write down.
#pragma once

#include <vector>

#include "learner.hpp"
#include "refusal.hpp"

namespace noregret {

inline void write(const Said& said, std::size_t r, double score, double prediction) {
  if (said.predictions) said.predictions[r] = prediction;
  if (said.scores) said.scores[r] = score;
}

// Looks up the features of row r. `slots` has, and remembers, the slots of named columns. Compiled once for all rules: a row that
// has to be looked up can wait for a call.
void resolve_row(const Block& block, std::size_t r, const Features& features, std::vector<std::uint32_t>& slots, Resolved& row);
// Looks up every row of a block, without learning from it.
void each_resolved(const Block& block, const Features& features, auto&& visit) {
  Resolved row;
  KnownColumns known;
  if (block.columns) known.look_at(block.columns);
  for (std::size_t r = 0; r < block.count; ++r) {
    at_row(r, [&] {
      resolve_row(block, r, features, known.slots, row);
      visit(r, row);
    });
  }
}
// The columns of a row that was learned have slots from now on.
void remember_columns(const Block& block, std::size_t r, const Resolved& row, std::vector<std::uint32_t>& slots);

}  // namespace noregret
