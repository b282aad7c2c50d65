// What every rule of this folder declares, and nothing else has to be written for it:
//
//   kName                     the name that Python asks for
//   kLanes                    what it keeps for each feature; lane 0 is the weight
//   kBinary                   whether it takes only values 0 and 1
//   each_parameter(visit)     its parameters by name: visit("rate", rate)
//   each_scalar(visit)        its running numbers by name, saved with the model
//   initial(lane)             the value of a feature that has not been met
//   shift()                   score = ⟨weight, x⟩ + shift
//   predict(score)            what the score says
//   loss(score, y)            what it suffers
//   learn(lanes, x, y, score, weight)   true when the weights changed
//   potential                 the quantity that its proof follows
//
// Optional: settle(width), told the number of features before the first round, −1 if unknown.
// A rule changes nothing when it throws.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../lanes.hpp"
#include "../refusal.hpp"

namespace noregret {

// +1 from 0 on. Without a branch: which side a score falls on is what nobody can foresee, and a
// wrong guess of the processor costs as much as twenty features. In whole numbers: copysign works on
// 16 bytes, and a score of 8 that was put on the stack a moment ago would have to reach memory first.
inline double sign(double score) {
  const auto side = std::bit_cast<std::uint64_t>(score + 0.0) & (std::uint64_t{1} << 63);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(1.0) | side);
}

// +1 above 0 only.
inline double strict_sign(double score) { return -sign(0.0 - score); }

inline double perceptron_loss(double score, double y) { return std::max(0.0, -y * score); }

// w ← w + step·x for one lane; returns the change of ‖w‖². When that leaves the doubles the lane
// is put back as it was, to the bit.
inline double add(Lanes& lanes, std::size_t lane, double step, const auto& x, double square) {
  double* w = lanes[lane];
  double* undo = lanes.undo(x.size + 1);
  double change = 0.0;
  x.each([&](auto slot, double value) {
    const double before = w[slot], after = before + step * value;
    *undo++ = before;
    w[slot] = after;
    change += (after - before) * (after + before);
  });
  if (std::isfinite(square + change)) return change;
  undo = lanes.undo(0) + x.size + (x.bias ? 1 : 0);
  if (x.bias) w[kBias] = *--undo;
  for (std::size_t k = x.size; k-- > 0;) w[x.slot(k)] = *--undo;
  throw Refusal("BadInput", "learning from this row would overflow the weights; scale the values down");
}

}  // namespace noregret
