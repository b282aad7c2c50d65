#include "scan.hpp"

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

}  // namespace

Scans<TableRow> scan_together(const Lanes& lanes, const Neighbours<TableRow>& x) {
  std::array<double, kRows> sums;
  add_up(lanes[0], x[0], sums.data());
  Scans<TableRow> seen;
  for (std::size_t r = 0; r < kRows; ++r) seen[r].sum = sums[r];
  return seen;
}

}  // namespace noregret
