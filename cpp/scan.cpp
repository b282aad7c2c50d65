#include "scan.hpp"

#include <bit>
#include <limits>

#include "wide.hpp"

namespace noregret {
namespace {

constexpr std::size_t kRows = kTogether<TableRow>;
constexpr std::size_t kFar = 8 * kLine<double>;  // rows ahead: each column is a stream of its own, more of them than the processor follows

// The cells of the rows are neighbours, and a column is added to all of them at once.
NOREGRET_WIDE void add_up(const double* w, const TableRow& first, double* sums) {
  std::array<double, kRows> sum{};
  for (std::size_t k = 0; k < first.size; ++k) {
    const double* cells = first.cell(k);
    __builtin_prefetch(cells + kFar, 0, 3);  // all the way: what another core has just written is slow to come from any farther
    if (first.is_word(k)) {
      for (std::size_t r = 0; r < kRows; ++r) sum[r] += w[first.slot_of(static_cast<std::ptrdiff_t>(cells[r]))];
    } else {
      const double weight = w[first.slot_of(first.features[k])];
      for (std::size_t r = 0; r < kRows; ++r) sum[r] += weight * cells[r];
    }
  }
  std::copy(sum.begin(), sum.end(), sums);
}

// A number, or 0 where a cell is NaN: by bits, which the compiler chooses several at a time.
inline double unless_missing(double cell, double number) {
  constexpr std::int64_t kSize = ~std::uint64_t{0} >> 1, kInfinity = std::bit_cast<std::int64_t>(std::numeric_limits<double>::infinity());
  const std::int64_t there = (std::bit_cast<std::int64_t>(cell) & kSize) > kInfinity ? 0 : -1;
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(number) & there);
}

// The same where cells may be missing, and a column that none of the rows has may have no weight. A sum that began with 0 is never −0, and 0
// may be added to it.
NOREGRET_WIDE void add_up_there(const double* w, std::size_t size, const TableRow& first, double* sums) {
  std::array<double, kRows> sum{};
  for (std::size_t k = 0; k < first.size; ++k) {
    const double* cells = first.cell(k);
    __builtin_prefetch(cells + kFar, 0, 3);
    if (first.is_word(k)) {
      for (std::size_t r = 0; r < kRows; ++r) sum[r] += w[first.slot_of(static_cast<std::ptrdiff_t>(cells[r]))];
    } else {
      const auto slot = static_cast<std::size_t>(first.slot_of(first.features[k]));
      const double weight = slot < size ? w[slot] : 0.0;
      for (std::size_t r = 0; r < kRows; ++r) sum[r] += unless_missing(cells[r], weight * cells[r]);
    }
  }
  std::copy(sum.begin(), sum.end(), sums);
}

}  // namespace

Scans<TableRow> scan_together(const Lanes& lanes, const Neighbours<TableRow>& x) {
  std::array<double, kRows> sums;
  if (x[0].holes) {
    add_up_there(lanes[0], lanes.size(), x[0], sums.data());
  } else {
    add_up(lanes[0], x[0], sums.data());
  }
  Scans<TableRow> seen;
  for (std::size_t r = 0; r < kRows; ++r) seen[r].sum = sums[r];
  return seen;
}

}  // namespace noregret
