// What the loop does with every row: add it up, and see that there was a weight for each feature.
#pragma once

#include <algorithm>
#include <array>

#include "lanes.hpp"
#include "rows.hpp"

namespace noregret {

// A sum, and all the slots of the row laid over each other: no slot is larger than `bits`.
struct Scan {
  double sum = 0.0;
  std::size_t bits = 0;
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

// How many neighbouring rows are added up side by side. Each sum is the one that scan() makes, term
// by term; but an addition takes three cycles, and the sums do not wait for each other.
template <class Row>
inline constexpr std::size_t kTogether = 2;
template <class V>
inline constexpr std::size_t kTogether<DenseRow<V>> = 4;
template <>
inline constexpr std::size_t kTogether<TableRow> = 8;

template <class Row>
using Neighbours = std::array<Row, kTogether<Row>>;
template <class Row>
using Scans = std::array<Scan, kTogether<Row>>;

// Rows are short, and the processor does not foresee where the next ones are: what comes a few rows later is asked for, line by line.
inline constexpr std::size_t kAhead = 1200;  // numbers
template <class T>
inline constexpr std::size_t kLine = 64 / sizeof(T);

template <class T>
void ask_for(const T* numbers, std::size_t count) {
  for (std::size_t k = 0; k < count; k += kLine<T>) __builtin_prefetch(numbers + k, 0, 3);
}

template <class V, class I>
[[gnu::noinline]] Scans<SparseRow<V, I>> scan_together(const Lanes& lanes, const Neighbours<SparseRow<V, I>>& x) {
  Adder<V, I> first(lanes, x[0]), second(lanes, x[1]);
  constexpr std::size_t kStep = 8;
  const std::size_t common = std::min(x[0].size, x[1].size);
  const auto ask = [&](std::size_t from, std::size_t count) {
    ask_for(first.values + kAhead + from, count);
    ask_for(first.slots + kAhead + from, count);
  };
  const auto add = [&](std::size_t k) {
    first.add(k);
    second.add(k);
  };
  std::size_t k = 0;
  for (; k + kStep <= common; k += kStep) {  // a few lines at a time: asked for all at once, they would stand in each other's way
    ask(2 * k, 2 * kStep);
    for (std::size_t j = k; j < k + kStep; ++j) add(j);
  }
  ask(2 * k, x[0].size + x[1].size - 2 * k);
  for (; k < common; ++k) add(k);
  for (std::size_t k = common; k < x[0].size; ++k) first.add(k);
  for (std::size_t k = common; k < x[1].size; ++k) second.add(k);
  return {first.scan(), second.scan()};
}

template <class V>
[[gnu::noinline]] Scans<DenseRow<V>> scan_together(const Lanes& lanes, const Neighbours<DenseRow<V>>& x) {
  constexpr std::size_t kRows = kTogether<DenseRow<V>>;
  constexpr std::size_t kAtOnce = 56 * kLine<V>;  // beyond so many lines the processor forgets what it is asked for
  const std::size_t size = x[0].size;
  Scans<DenseRow<V>> seen;
  for (Scan& one : seen) one.bits = size == 0 ? 0 : size - 1;
  if (size > lanes.size()) return seen;
  const double* w = lanes[0];
  std::array<const V*, kRows> row;
  for (std::size_t r = 0; r < kRows; ++r) row[r] = x[r].values;
  std::array<double, kRows> sum{};
  const auto add = [&](std::size_t k, std::ptrdiff_t at) {
    for (std::size_t r = 0; r < kRows; ++r) sum[r] += w[k] * static_cast<double>(row[r][at]);
  };
  std::size_t k = 0;
  if (x[0].stride == 1) {
    const std::ptrdiff_t step = row[1] - row[0], next = static_cast<std::ptrdiff_t>(kRows) * step;
    const bool in_one_go = step == static_cast<std::ptrdiff_t>(size) && kRows * size <= kAtOnce;
    if (in_one_go) ask_for(row[0] + kAhead, kRows * size);
    for (; k + kLine<V> <= size; k += kLine<V>) {
      if (!in_one_go) {
        for (const V* one : row) __builtin_prefetch(one + k + next, 0, 3);
      }
      for (std::size_t j = k; j < k + kLine<V>; ++j) add(j, static_cast<std::ptrdiff_t>(j));
    }
  }
  for (; k < size; ++k) add(k, static_cast<std::ptrdiff_t>(k) * x[0].stride);
  for (std::size_t r = 0; r < kRows; ++r) seen[r].sum = sum[r];
  return seen;
}

// Rows of a table, one behind the other. There is a weight for every feature.
Scans<TableRow> scan_together(const Lanes& lanes, const Neighbours<TableRow>& x);

}  // namespace noregret
