// What a rule keeps for each feature: one or more lanes of doubles, addressed by slot; and a matrix or
// examples, if it keeps them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "factors.hpp"
#include "rows.hpp"
#include "supports.hpp"

namespace noregret {

class Lanes {
 public:
  explicit Lanes(std::size_t count) : columns_(count) {}

  // Slot kBias stands in front of slot 0.
  double* operator[](std::size_t lane) { return columns_[lane].data() + 1; }
  const double* operator[](std::size_t lane) const { return columns_[lane].data() + 1; }

  std::size_t count() const { return columns_.size(); }
  std::size_t size() const { return columns_.front().size() - 1; }

  // Makes room for at least `slots` slots, and a power of two of them; `initial(lane)` is the value
  // of a feature not met before.
  void grow(std::size_t slots, auto&& initial) {
    if (!columns_.front().empty() && slots <= size()) return;
    const std::size_t room = std::bit_ceil(std::max(slots, kFewest)) + 1;
    // The first lane last: its size is what counts, should there be no memory for all of them.
    for (std::size_t lane = count(); lane-- > 0;) columns_[lane].resize(room, initial(lane));
  }

  // Every slot as if its feature had not been met.
  void wipe(auto&& initial) {
    for (std::size_t lane = 0; lane < count(); ++lane) std::fill(columns_[lane].begin(), columns_[lane].end(), initial(lane));
  }

  // More numbers for each feature; before any feature has been met.
  void add(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) columns_.emplace_back(columns_.front().size(), 0.0);
  }

  // Room to remember `count` numbers while a step is tried.
  double* undo(std::size_t count) {
    if (undo_.size() < count) undo_.resize(count);
    return undo_.data();
  }

  Factors factors;    // empty unless the rule keeps a matrix
  Supports supports;  // empty unless the rule keeps examples
  mutable Spread spread;

 private:
  static constexpr std::size_t kFewest = 16;
  std::vector<std::vector<double>> columns_;
  std::vector<double> undo_;
};

}  // namespace noregret
