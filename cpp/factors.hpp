// The covariance Σ of the features met, kept as the factors Σ = U·D·Uᵀ: U upper triangular with ones on its diagonal, D a
// diagonal of positive numbers. A row x takes part of Σ away, Σ⁻¹ ← Σ⁻¹ + k·xxᵀ. Subtracted from the entries of Σ, that loses
// the digits of a small variance beside a large one; the factors keep them, and Σ stays positive.
//
//   f = Uᵀx,  b = D·f,  v = xᵀΣx = Σ b·f,  β_j = 1 + k·Σ_{i≤j} b_i·f_i
//   D_j ← D_j·β_{j−1}/β_j,   column j of U ← itself − (k·f_j/β_{j−1})·Σ_{m<j} b_m·(column m before)
//
// and the sum over all columns is Σx.            Bierman 1977, Factorization methods for discrete sequential estimation, ch. V
//
// A feature gets its place when it is first learned from with a value other than 0, so that the factors are as wide as what
// was met, not as the largest index. A new place comes last: its column of U is that of the identity, and no other changes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "factors/kernels.hpp"
#include "refusal.hpp"
#include "rows.hpp"

namespace noregret {

class Factors {
 public:
  static constexpr std::size_t kMost = 22300;  // features: 2 GB

  std::size_t size() const { return slots_.size(); }
  // The slots of the features, in the order in which they were met.
  const std::vector<std::ptrdiff_t>& slots() const { return slots_; }
  double variance(std::size_t place) const { return variances_[place]; }
  // U, above the diagonal.
  double at(std::size_t row, std::size_t column) const { return blocks_[column / kColumns][inside(row, column)]; }

  bool has(std::ptrdiff_t slot) const { return at(slot) < places_.size() && places_[at(slot)] != kNone; }
  std::size_t place(std::ptrdiff_t slot) const { return places_[at(slot)]; }

  // Refuses factors that would not fit memory, before anything has changed.
  void require_room(std::size_t more) const {
    const std::size_t wanted = size() + more;
    if (wanted > kMost) refuse(wanted);
  }

  // Gives a place to every feature of a row that has none. A new one is not correlated with any other.
  void meet(const auto& x, double variance) {
    std::size_t more = 0;
    x.each([&](std::ptrdiff_t slot, double value) { more += value != 0.0 && !has(slot); });
    if (more == 0) return;
    require_room(more);
    x.each([&](std::ptrdiff_t slot, double value) {
      if (value != 0.0 && !has(slot)) add(slot, variance);
    });
  }

  void add(std::ptrdiff_t slot, double variance);
  // Takes back the places beyond the first `size`, whose features have not been learned from after all.
  void forget(std::size_t size);

  // Place by place: its column of U above the diagonal, then its D.
  std::vector<double> saved() const;
  // What saved() gave, of as many places as there are.
  void restore(const double* numbers);
  // The factors of a symmetric matrix, given by its lower triangle row by row.
  void factor(std::vector<double> matrix);

  // xᵀΣx. Features without a place are left out. A row that is measured twice in a row is measured once.
  double measure(const auto& x) const {
    std::fill(laid_.begin(), laid_.end(), 0.0);
    x.each([&](std::ptrdiff_t slot, double value) {
      if (value != 0.0 && has(slot)) laid_[place(slot)] = value;
    });
    if (!measured_ || std::memcmp(laid_.data(), x_.data(), x_.size() * sizeof(double)) != 0) measure_laid();
    return reach_[size()];
  }

  // What follows is about the row that was measured last.

  // A growth of Σ⁻¹ of at most 10¹⁰⁰ over the square of the largest value of the row, so that no variance vanishes where
  // rounds contradict each other without end.
  double bounded(double growth) const {
    const double most = kSurest / (largest_ * largest_);
    return growth > most ? most : growth;
  }

  // Works out D after a step; true when it is certain that no number of the factors leaves the doubles.
  bool prepare(double growth);
  // A bound of the entries of Σx. By Cauchy and Schwarz, as Σ_ii never grows.
  double farthest() const { return std::sqrt(2.0 * widest_ * reach_[size()]); }
  // Takes the step; gives Σx, with Σ as it was before.
  const double* shrink();

  // ---- a step that may have to be taken back

  struct Kept {
    std::vector<factors::Block> blocks;
    factors::Block variances;
  };
  Kept kept() const { return {blocks_, variances_}; }
  void put_back(Kept&& kept);
  bool are_sound() const;

 private:
  static constexpr std::size_t kRows = factors::kRows, kColumns = factors::kColumns;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr double kSurest = 1e100;

  static std::size_t at(std::ptrdiff_t slot) { return static_cast<std::size_t>(slot - kBias); }
  static std::size_t inside(std::size_t row, std::size_t column) {
    return row / kRows * (kRows * kColumns) + column % kColumns * kRows + row % kRows;
  }
  void measure_laid() const;
  void find_widest();
  [[gnu::cold, gnu::noinline, noreturn]] static void refuse(std::size_t wanted);

  std::vector<factors::Block> blocks_;  // of U
  factors::Block variances_;            // D; 1 beyond the last place
  double widest_ = 0.0;                 // no Σ_ii is larger
  std::vector<std::ptrdiff_t> slots_;
  std::vector<std::uint32_t> places_;  // by slot, the bias first

  // The row that was measured, by place; and what came of it.
  mutable bool measured_ = false;
  mutable double largest_ = 0.0;  // of its absolute values
  mutable factors::Block laid_, x_, f_, b_, reach_{0.0};
  mutable std::vector<std::uint32_t> tiles_;  // those in which it has a value
  factors::Block slopes_, after_, gain_;
};

}  // namespace noregret
