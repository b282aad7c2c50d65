#include "stacked.hpp"

namespace noregret {

Compressed::Compressed(const double* cells, std::ptrdiff_t step, std::size_t rows, std::span<const std::int32_t> columns)
    : values(rows * columns.size() + 1), features(rows * columns.size() + 1), starts(rows + 1) {
  constexpr std::size_t kFar = 64;  // rows ahead: more columns than the processor follows
  double* value = values.data();
  std::int32_t* feature = features.data();
  std::size_t count = 0;
  starts.put(0);
  for (std::size_t r = 0; r < rows; ++r) {
    const double* cell = cells + r;
    for (const std::int32_t column : columns) {
      if (r % 8 == 0) __builtin_prefetch(cell + kFar);
      const bool there = *cell == *cell;
      value[count] = column < 0 ? 1.0 : *cell;  // whether it is there or not: nobody foresees that
      feature[count] = column < 0 ? static_cast<std::int32_t>(there ? *cell : 0.0) : column;
      count += there ? 1 : 0;
      cell += step;
    }
    starts.put(static_cast<std::int32_t>(count));
  }
  values.cut(count);
  features.cut(count);
}

}  // namespace noregret
