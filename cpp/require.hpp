// What a round must satisfy, and what is said when it does not.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "refusal.hpp"

namespace noregret {

inline std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  double back = 0.0;
  for (int digits = 1; digits < 17 && std::isfinite(value); ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::sscanf(text, "%lf", &back) == 1 && back == value) break;
  }
  return text;
}

// Refusing is kept out of line: in the middle of the loop its strings would push the sums out of
// the registers.
[[gnu::cold, gnu::noinline, noreturn]] inline void refuse_label(double y) {
  throw Refusal("BadLabel", "the label is " + shown(y) + "; this learner takes -1 and +1 (multiclass-perceptron and its kin take "
                            "classes, widrow-hoff and its kin numbers)");
}

[[gnu::cold, gnu::noinline, noreturn]] inline void refuse_weight(double weight) {
  throw Refusal("BadInput", "the importance weight is " + shown(weight) + "; it must be a finite number, 0 or more");
}

[[gnu::cold, gnu::noinline, noreturn]] inline void refuse_number(double y) {
  throw Refusal("BadLabel", "the label is " + shown(y) + "; this learner predicts numbers and takes finite ones");
}

[[gnu::cold, gnu::noinline, noreturn]] inline void refuse_overflow() {
  throw Refusal("BadInput", "the score of this row overflows; scale the values down");
}

[[gnu::cold, gnu::noinline, noreturn]] inline void refuse_step() {
  throw Refusal("BadInput", "learning from this row would overflow the weights; scale the values down");
}

inline void require_number(double y) {
  if (!std::isfinite(y)) refuse_number(y);
}

inline void require_label(double y) {
  if (y * y != 1.0) refuse_label(y);
}

inline void require_weight(double weight) {
  if (!(weight >= 0.0 && std::isfinite(weight))) refuse_weight(weight);
}

// `label(k)` is how a person would call feature number k of the row.
void require_finite_values(const auto& x, auto&& label) {
  for (std::size_t k = 0; k < x.size; ++k) {
    if (is_there(x, k) && !std::isfinite(x.value(k))) {
      throw Refusal("BadInput", "feature " + label(k) + " is " + shown(x.value(k)) + "; a value must be a finite number");
    }
  }
}

}  // namespace noregret
