// Rounds on their way into the tally.
#pragma once

#include <array>
#include <cmath>

#include "block_rows.hpp"
#include "tally.hpp"

namespace noregret {

// Labels are numbers, not −1 and +1.
template <class Rule>
inline constexpr bool kPredictsNumbers = requires { requires Rule::kNumbers; };
// What a score says depends on what was learned so far, and is kept from before the round.
template <class Rule>
inline constexpr bool kShifts = requires { requires Rule::kShifting; };

// Rounds that were played and not yet counted. Counting is put off for a while because done in
// between it would keep the processor from starting on the next row.
template <class Rule>
struct Played {
  static constexpr std::size_t kRows = 128;
  const Block& block;
  Tally& tally;
  const Said& said;
  std::size_t first = 0, size = 0;
  bool learned = false;  // at least one row had a label
  std::array<double, kRows> scores{}, potentials{};
  std::array<bool, kRows> updates{};
  std::array<double, kShifts<Rule> ? kRows : 0> predictions{}, losses{};

  // What is said of a row, before it is learned from; then what came of it.
  void ask(const Rule& rule, double score, double y) {
    scores[size] = score;
    if constexpr (kShifts<Rule>) {
      predictions[size] = rule.predict(score);
      losses[size] = rule.loss(score, y);
    }
  }
  void settle(const Rule& rule, bool updated) {
    potentials[size] = rule.potential;
    updates[size] = updated;
    if (++size == kRows) count(rule);
  }

  void count(const Rule& rule) {
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t r = first + k;
      const double score = scores[k], y = block.labels[r];
      double prediction, loss;
      if constexpr (kShifts<Rule>) {
        prediction = predictions[k], loss = losses[k];
      } else {
        prediction = rule.predict(score), loss = rule.loss(score, y);
      }
      write(said, r, score, prediction);
      if (std::isnan(y)) {
        tally.skip(potentials[k]);
        continue;
      }
      const double weight = block.weights ? block.weights[r] : 1.0;
      if constexpr (kPredictsNumbers<Rule>) {
        tally.add_number(prediction, y, loss, updates[k], weight, potentials[k]);
      } else {
        tally.add(score, prediction, y, loss, updates[k], weight, potentials[k]);
      }
    }
    first += size;
    size = 0;
  }
};

}  // namespace noregret
