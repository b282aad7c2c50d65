// What every rule of this folder declares, and nothing else has to be written for it:
//
//   kName                     the name that Python asks for
//   kLanes                    what it keeps for each feature; lane 0 is the weight
//   each_parameter(visit)     its parameters by name: visit("rate", rate)
//   each_scalar(visit)        its running numbers by name, saved with the model
//   initial(lane)             the value of a feature that has not been met
//   predict(score)            what the score says
//   loss(score, y)            what it suffers
//   potential                 the quantity that its proof follows
//
// and how it learns, in one of two forms. Most rules do the same with every feature of a row, once
// a step has been chosen; they are written lane-wise, and get a row in which no feature is repeated:
//
//   moves(y, score)                    whether the round teaches anything
//   measure(at, value)                 static, optional: summed over the row before the step is chosen
//   plan(y, score, measured, weight)   the step: two numbers for `apply`; may change running numbers. A step of two
//                                      zeros is none: nothing changes
//   apply(at, value, step)             static: the change of the numbers `at` one feature
//
// `at` is the numbers of one feature, lane by lane. `apply` and `measure` are written with auto and without
// branches (`larger`, `smaller`, `root`), so that many learners of one rule go through vector instructions side by side. The frame adds the change
// of ‖w‖² to `potential`, and undoes a step that would leave the doubles. The other form is free:
//
//   learn(lanes, x, y, score, weight)  true when something changed; changes nothing when it throws
//
// Such a rule may keep a symmetric matrix over the features met, kMatrix (its name), whose factors are lanes.factors: saved, cloned and
// bounded with the lanes; moves(y, score) then says whether learn would look at the row at all. Or it keeps examples, kSupports, in
// lanes.supports, and score_by(lanes, x) is its score. Optional in both: kNumbers (its labels are numbers, and so are its
// predictions), kBinary (it takes only values 0 and 1), require_truth(y) (refuses labels), kDistinct (of the free form: no feature is repeated in a row), kShifting (what a score says changes as it learns), tick()
// (told of every labelled round, before it is learned), settle(width) (told the number of features before the first round, −1 if
// unknown), shift() and factor(): score = factor·⟨weight, x⟩ + shift; weight(at): the weight that the numbers at a feature stand for, if
// it is not the first of them; score(at, x): a score that is no such sum, where at(slot) gives the numbers at a slot;
// score(lanes, x, sum): one that also asks the matrix, sum = ⟨lane 0, x⟩.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "../lanes.hpp"
#include "../numbers.hpp"
#include "../require.hpp"

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

// Two numbers are enough to say what every rule here does with a feature.
using Step = std::array<double, 2>;

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
  refuse_step();
}

}  // namespace noregret
