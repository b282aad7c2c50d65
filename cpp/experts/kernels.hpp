// The inner loops of the expert rules, by the instructions that were chosen.
#pragma once

#include <cstddef>

namespace noregret::experts {

// What a row of losses looks like; NaN is an expert that sleeps.
struct Seen {
  double low, high;  // over those awake; ∞ and −∞ if nobody is
  std::size_t asleep;
};

struct Mixed {
  double weight, loss;  // Σw and Σw·ℓ over those awake; the loss is not finite if a loss is not
  double low, high;     // of the losses, over those awake
};

struct Kernels {
  Seen (*inspect)(const double* row, std::size_t n);
  // One round of exponential weights: w = exp(−rate·(total − center)), next = total + ℓ. In one pass,
  // because the rows come from far away; `next` is another array, so that a bad row changes nothing.
  Mixed (*mix)(const double* row, const double* total, double* next, std::size_t n, double rate, double center,
               bool sleepers);
  // weight = exp(rate·(exponent − center)) where row is awake (row null: everybody), else 0; returns Σ.
  double (*exponentials)(const double* exponent, const double* row, double* weight, std::size_t n, double rate,
                         double center);
};

const Kernels& kernels();

}  // namespace noregret::experts
