// How many labelled rounds a learner has learned. A round that is refused, or whose weight is 0, changes no number and does not
// count; one that was right does, whether or not it moved a weight.
#pragma once

#include <cstdint>
#include <optional>

namespace noregret {

class LearnedRounds {
 public:
  LearnedRounds() = default;
  // Empty where a model file of an earlier version did not keep the count, of a learner that is not as it was made.
  explicit LearnedRounds(std::optional<std::uint64_t> count) : count_(count.value_or(0)), known_(count.has_value()) {}

  std::optional<std::uint64_t> count() const { return known_ ? std::optional(count_) : std::nullopt; }
  void add(std::uint64_t rounds) { count_ += rounds; }

 private:
  std::uint64_t count_ = 0;
  bool known_ = true;
};

}  // namespace noregret
