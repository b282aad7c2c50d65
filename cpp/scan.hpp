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

// ⟨w, x⟩ by one accumulator, in the order given. The number of slots is a power of two, so that a
// slot cut down to it is safe to read; if `bits` shows that something was cut, the sum is void.
template <class V, class I>
class Adder {
 public:
  using U = std::make_unsigned_t<I>;

  Adder(const Lanes& lanes, const SparseRow<V, I>& x)
      : values(x.values), slots(reinterpret_cast<const U*>(x.slots)), w_(lanes[0]),
        mask_(static_cast<U>(std::min(lanes.size() - 1, static_cast<std::size_t>(~U{0})))) {}

  void add(std::size_t k) {
    bits_ |= slots[k];
    sum_ += w_[slots[k] & mask_] * static_cast<double>(values[k]);
  }
  Scan scan() const { return {sum_, static_cast<std::size_t>(bits_)}; }

  const V* values;
  const U* slots;

 private:
  const double* w_;
  U mask_;
  double sum_ = 0.0;
  U bits_ = 0;
};

// Kept out of line: in the middle of the loop the accumulator would be spilled to memory, at four
// times the cost.
template <class V, class I>
[[gnu::noinline]] Scan scan(const Lanes& lanes, const SparseRow<V, I>& x) {
  Adder<V, I> sum(lanes, x);
  for (std::size_t k = 0; k < x.size; ++k) sum.add(k);
  return sum.scan();
}

template <class V>
[[gnu::noinline]] Scan scan(const Lanes& lanes, const DenseRow<V>& x) {
  Scan seen{0.0, x.size == 0 ? 0 : x.size - 1};
  if (x.size > lanes.size()) return seen;
  const double* w = lanes[0];
  for (std::size_t k = 0; k < x.size; ++k) seen.sum += w[k] * x.value(k);
  return seen;
}

// Two neighbouring rows side by side. Each sum is the one that scan() makes, term by term; but an
// addition takes three cycles, and two sums do not wait for each other. Rows are short, and the
// processor does not foresee where the next ones are: they are asked for ahead.
template <class V, class I>
[[gnu::noinline]] ScanPair scan_two(const Lanes& lanes, const SparseRow<V, I>& x, const SparseRow<V, I>& y) {
  constexpr std::size_t kAhead = 128;
  Adder<V, I> first(lanes, x), second(lanes, y);
  const std::size_t common = std::min(x.size, y.size);
  for (std::size_t k = 0; k < common; ++k) {
    __builtin_prefetch(first.values + 2 * k + kAhead);
    __builtin_prefetch(first.slots + 2 * k + kAhead);
    first.add(k);
    second.add(k);
  }
  for (std::size_t k = common; k < x.size; ++k) first.add(k);
  for (std::size_t k = common; k < y.size; ++k) second.add(k);
  return {first.scan(), second.scan()};
}

template <class V>
[[gnu::noinline]] ScanPair scan_two(const Lanes& lanes, const DenseRow<V>& x, const DenseRow<V>& y) {
  const std::size_t last = x.size == 0 ? 0 : x.size - 1;
  double first = 0.0, second = 0.0;
  if (x.size <= lanes.size()) {
    const double* w = lanes[0];
    for (std::size_t k = 0; k < x.size; ++k) {
      first += w[k] * x.value(k);
      second += w[k] * y.value(k);
    }
  }
  return {{first, last}, {second, last}};
}

}  // namespace noregret
