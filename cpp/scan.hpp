// What the loop does with every row: add it up, and see that there was a weight for each feature.
#pragma once

#include <algorithm>

#include "lanes.hpp"
#include "rows.hpp"

namespace noregret {

// A sum, and all the slots of the row laid over each other: no slot is larger than `bits`.
struct Scan {
  double sum = 0.0;
  std::size_t bits = 0;
};

struct ScanPair {
  Scan first, second;
};

// The terms of a row, one by one. The number of slots is a power of two, so that a slot cut down
// to it is safe to read; if `bits` shows that something was cut, the sum is void.
template <class Row>
class Adder;

template <class V, class I>
class Adder<SparseRow<V, I>> {
 public:
  Adder(const Lanes& lanes, const SparseRow<V, I>& x)
      : w_(lanes[0]), values_(x.values), slots_(reinterpret_cast<const U*>(x.slots)),
        mask_(static_cast<U>(std::min(lanes.size() - 1, static_cast<std::size_t>(~U{0})))) {}

  void add(std::size_t k) {
    bits_ |= slots_[k];
    sum_ += w_[slots_[k] & mask_] * static_cast<double>(values_[k]);
  }
  // Rows are short, and the processor does not foresee where the next ones are.
  void fetch(std::size_t k) const {
    __builtin_prefetch(values_ + k);
    __builtin_prefetch(values_ + k + 8);
    __builtin_prefetch(slots_ + k + 16);
  }
  Scan scan() const { return {sum_, static_cast<std::size_t>(bits_)}; }

 private:
  using U = std::make_unsigned_t<I>;
  const double* w_;
  const V* values_;
  const U* slots_;
  U mask_;
  double sum_ = 0.0;
  U bits_ = 0;
};

template <class V>
class Adder<DenseRow<V>> {
 public:
  Adder(const Lanes& lanes, const DenseRow<V>& x) : w_(lanes[0]), x_(x), short_(x.size > lanes.size()) {
    if (short_) w_ = nullptr;
  }
  void add(std::size_t k) {
    if (!short_) sum_ += w_[k] * x_.value(k);
  }
  void fetch(std::size_t) const {}
  Scan scan() const { return {sum_, x_.size == 0 ? 0 : x_.size - 1}; }

 private:
  const double* w_;
  DenseRow<V> x_;
  bool short_;
  double sum_ = 0.0;
};

// ⟨w, x⟩ by one accumulator, in the order given. Kept out of line: in the middle of the loop the
// accumulator would be spilled to memory, at four times the cost.
template <class Row>
[[gnu::noinline]] Scan scan(const Lanes& lanes, const Row& x) {
  Adder<Row> sum(lanes, x);
  for (std::size_t k = 0; k < x.size; ++k) sum.add(k);
  return sum.scan();
}

// Two neighbouring rows side by side. Each sum is the one that scan() makes, term by term; but an
// addition takes three cycles, and two sums do not wait for each other.
template <class Row>
[[gnu::noinline]] ScanPair scan_two(const Lanes& lanes, const Row& x, const Row& y) {
  constexpr std::size_t kStep = 8, kAhead = 128;
  Adder<Row> first(lanes, x), second(lanes, y);
  const std::size_t common = std::min(x.size, y.size);
  std::size_t k = 0;
  for (; k + kStep <= common; k += kStep) {
    first.fetch(2 * k + kAhead);
    for (std::size_t j = k; j < k + kStep; ++j) {
      first.add(j);
      second.add(j);
    }
  }
  for (std::size_t j = k; j < x.size; ++j) first.add(j);
  for (std::size_t j = k; j < y.size; ++j) second.add(j);
  return {first.scan(), second.scan()};
}

}  // namespace noregret
