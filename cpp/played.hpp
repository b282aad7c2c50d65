// Rounds on their way into the tally.
#pragma once

#include <algorithm>
#include <array>

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
  std::size_t labelled = 0, learned = 0;  // rows with a label that were counted; of them those of a weight above 0
  std::array<double, kRows> scores{}, predictions{}, losses{}, potentials{};
  std::array<bool, kRows> updates{};

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

  // A row without a label.
  void skip(const Rule& rule, double score) {
    count(rule);
    write(said, first++, score, rule.predict(score));
    tally.skip(rule.potential);
  }

  void count(const Rule& rule) {
    const double* labels = block.labels + first;
    const double* weights = block.weights ? block.weights + first : nullptr;
    if constexpr (!kShifts<Rule>) {
      for (std::size_t k = 0; k < size; ++k) predictions[k] = rule.predict(scores[k]);
      for (std::size_t k = 0; k < size; ++k) losses[k] = rule.loss(scores[k], labels[k]);
    }
    if (said.predictions) std::copy_n(predictions.begin(), size, said.predictions + first);
    if (said.scores) std::copy_n(scores.begin(), size, said.scores + first);
    if constexpr (kPredictsNumbers<Rule>) {
      for (std::size_t k = 0; k < size; ++k) {
        tally.add_number(predictions[k], labels[k], losses[k], updates[k], weights ? weights[k] : 1.0, potentials[k]);
      }
    } else {
      tally.add({size, scores.data(), predictions.data(), labels, losses.data(), potentials.data(), weights, updates.data()});
    }
    first += size;
    labelled += size;
    learned += weights ? static_cast<std::size_t>(std::count_if(weights, weights + size, [](double weight) { return weight > 0.0; })) : size;
    size = 0;
  }
};

}  // namespace noregret
