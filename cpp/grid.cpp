#include "grid.hpp"

#include "wide.hpp"

namespace noregret {
namespace {

// So many classes that their sums stay in registers from the first feature to the last.
template <std::size_t kWidth>
[[gnu::always_inline]] inline void add_block(const double* weights, std::size_t stride, const std::uint32_t* rows, const double* values,
                                             std::size_t count, double* sums) {
  double sum[kWidth] = {};
  for (std::size_t k = 0; k < count; ++k) {
    const double* w = weights + rows[k] * stride;
    const double value = values[k];
    for (std::size_t c = 0; c < kWidth; ++c) sum[c] += w[c] * value;
  }
  for (std::size_t c = 0; c < kWidth; ++c) sums[c] = sum[c];
}

NOREGRET_WIDE void add_all(const double* weights, std::size_t stride, const std::uint32_t* rows, const double* values, std::size_t count,
                           double* sums) {
  if (stride == 4) return add_block<4>(weights, stride, rows, values, count, sums);
  if (stride == 8) return add_block<8>(weights, stride, rows, values, count, sums);
  for (std::size_t c = 0; c < stride; c += 16) add_block<16>(weights + c, stride, rows, values, count, sums + c);
}

}  // namespace

void add_up(const Grid& grid, const std::uint32_t* rows, const double* values, std::size_t count, double* sums) {
  add_all(grid.at(0, 0), grid.stride(), rows, values, count, sums);
}

}  // namespace noregret
