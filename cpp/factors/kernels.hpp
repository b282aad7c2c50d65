// The inner loops over the factors of a covariance, by the instructions that were chosen. Every choice gives the same bits.
//
// U is stored in blocks of four columns, a block in tiles of eight rows, so that both loops run through memory from one end to
// the other. A block ends with the tile of its diagonal, which holds the ones of the diagonal and zeros below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../memory.hpp"

namespace noregret::factors {

inline constexpr std::size_t kRows = 8, kColumns = 4, kTile = kRows * kColumns;

using Block = std::vector<double, Aligned<double>>;

// How many tiles a block has.
inline constexpr std::size_t tiles_of(std::size_t block) { return block * kColumns / kRows + 1; }

// A row by place, filled up with zeros to a multiple of kRows, and what is worked out from it.
struct Measured {
  const std::uint32_t* tiles;  // tiles in which x is not zero, in order
  std::size_t listed;
  const double *x, *variances;
  double *f, *b;
  double* reach;  // one more: reach[j] = Σ_{i<j} b_i·f_i
};

struct Kernels {
  // f = Uᵀx, each in eight sums by place modulo 8: ((s₀+s₄)+(s₁+s₅)) + ((s₂+s₆)+(s₃+s₇)).
  void (*measure)(const Block* blocks, std::size_t count, const Measured& row);
  // The slopes k·f_j/β_{j−1}, negative, and D after the step; false when a number of D is not above 10⁻¹⁵⁰.
  bool (*prepare)(std::size_t padded, double growth, const Measured& row, double* slopes, double* after);
  // Takes the step, and adds Σx to `gain`.
  void (*shrink)(Block* blocks, std::size_t count, const double* f, const double* b, const double* slopes, double* gain);
};

const Kernels& kernels();

}  // namespace noregret::factors
