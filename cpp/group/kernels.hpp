// The inner loops of learners of one rule that stand side by side: what member m keeps of a slot in a lane is at
// [(slot·lanes + lane)·stride + m], so that all that is kept of a feature lies in one place.
// Chosen once for the processor at hand; every choice gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace noregret::group {

constexpr std::size_t kColumns = 8;  // the stride is a multiple of this

struct Row {
  const std::uint32_t* slots;
  const double* values;
  std::size_t size;
};

// The row of the bias.
inline constexpr std::uint32_t kFirstSlot = 0;
inline constexpr double kOne = 1.0;
inline constexpr Row kAlwaysOne{&kFirstSlot, &kOne, 1};

// What is done to the members that move; the arrays have a number for each member.
struct Move {
  const double *first, *second;  // the step
  const std::int64_t* moving;    // −1 or 0
  double *change, *doubt;        // added to: the change of ‖w‖²; NaN where a number left the doubles
  Row next;                      // its numbers are asked for meanwhile; may be empty
};

// What is added up of a row, in its order: ⟨w, x⟩ of each member, and what the rule measures, if it does.
struct Look {
  double *sums, *measured;
  Row next;  // its numbers are asked for meanwhile; may be empty
};

struct RuleKernels {
  const char* rule;
  std::size_t lanes;
  void (*look)(const double* numbers, Row x, std::size_t stride, const Look& look);
  void (*apply)(double* numbers, Row x, std::size_t stride, const Move& move);
};

// What a form of scaling makes of the values of a row: as it looks with what was met before, and once it has been taken in. All arrays
// are `room` long, a multiple of kColumns; of `met` there is one after the other for each number that the form keeps.
struct Scaling {
  double* met;
  const double* values;
  double *seen, *taken;
  std::size_t room;
  double rows;  // before this one
};
using Scale = double (*)(const Scaling& row);  // NaN when a number left the doubles, else 0

struct Kernels {
  bool (*within)(const double* numbers, std::size_t count, double limit);  // whether none is larger, whichever its sign; NaN is
  Scale standard, largest, root_mean_square;
  const RuleKernels* rules;
  std::size_t count;
};

// Null when no member of this rule can stand beside another.
const RuleKernels* rule_kernels(const char* rule);
const Kernels& kernels();

}  // namespace noregret::group
