// Views of examples: nothing here owns memory or copies a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace noregret {

// The slot of the feature that is always 1.
inline constexpr std::ptrdiff_t kBias = -1;

template <class V, class I>
struct SparseRow {
  const V* values;
  const I* slots;
  std::size_t size;
  bool bias;
  bool distinct = false;  // it is known that no slot stands there twice

  double value(std::size_t k) const { return static_cast<double>(values[k]); }
  std::ptrdiff_t slot(std::size_t k) const { return static_cast<std::ptrdiff_t>(slots[k]); }

  void each(auto&& visit) const {
    for (std::size_t k = 0; k < size; ++k) visit(slot(k), value(k));
    if (bias) visit(kBias, 1.0);
  }
};

template <class V>
struct DenseRow {
  const V* values;
  std::ptrdiff_t stride;
  std::size_t size;
  bool bias;

  double value(std::size_t k) const {
    return static_cast<double>(values[static_cast<std::ptrdiff_t>(k) * stride]);
  }
  std::ptrdiff_t slot(std::size_t k) const { return static_cast<std::ptrdiff_t>(k); }

  void each(auto&& visit) const {
    for (std::size_t k = 0; k < size; ++k) visit(slot(k), value(k));
    if (bias) visit(kBias, 1.0);
  }
};

// A row of a table whose columns are whole. A column holds the values of a feature; or, where that is negative, its cells are features
// themselves, each of value 1: words, by their numbers. With `holes`, a NaN among the values stands for a feature that the row does not have.
struct TableRow {
  const double* cells;
  std::ptrdiff_t step;  // from a column to the next
  const std::int32_t* features;
  const std::uint32_t* slots;  // of features; null when each is its own
  std::size_t size;
  bool bias;
  bool holes = false;

  bool is_word(std::size_t k) const { return features[k] < 0; }
  bool is_there(std::size_t k) const { return !holes || *cell(k) == *cell(k); }
  const double* cell(std::size_t k) const { return cells + static_cast<std::ptrdiff_t>(k) * step; }
  std::ptrdiff_t slot_of(std::ptrdiff_t feature) const { return slots == nullptr ? feature : static_cast<std::ptrdiff_t>(slots[feature]); }

  std::ptrdiff_t feature(std::size_t k) const { return is_word(k) ? static_cast<std::ptrdiff_t>(*cell(k)) : features[k]; }
  double value(std::size_t k) const { return is_word(k) ? 1.0 : *cell(k); }
  std::ptrdiff_t slot(std::size_t k) const { return slot_of(feature(k)); }

  void each(auto&& visit) const {
    for (std::size_t k = 0; k < size; ++k) {
      if (is_there(k)) visit(slot(k), value(k));
    }
    if (bias) visit(kBias, 1.0);
  }
};

// Whether a row has the feature at place k; only a table has places for features that a row may lack.
constexpr bool is_there(const auto&, std::size_t) { return true; }
inline bool is_there(const TableRow& x, std::size_t k) { return x.is_there(k); }

// Compressed sparse rows, as scipy keeps them.
template <class V, class I>
struct SparseRows {
  const V* values;
  const I* indices;
  const I* starts;  // count + 1 of them
  std::size_t count;

  SparseRow<V, I> row(std::size_t r, bool bias) const {
    const auto begin = starts[r];
    return {values + begin, indices + begin, static_cast<std::size_t>(starts[r + 1] - begin), bias};
  }
};

template <class V>
struct DenseRows {
  const V* values;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
  std::size_t count;
  std::size_t width;

  DenseRow<V> row(std::size_t r, bool bias) const {
    return {values + static_cast<std::ptrdiff_t>(r) * row_stride, column_stride, width, bias};
  }
};

// Who makes it has seen to it that cells which are features are whole numbers from 0 on, below the number of names where there are names.
struct TableRows {
  const double* cells;
  std::ptrdiff_t step;
  const std::int32_t* features;
  const std::uint32_t* slots;
  std::size_t count;
  std::size_t width;
  bool holes = false;

  TableRow row(std::size_t r, bool bias) const { return {cells + r, step, features, slots, width, bias, holes}; }
};

template <class Rows>
using RowOf = decltype(std::declval<Rows>().row(0, false));

using Rows = std::variant<SparseRows<double, std::int32_t>, SparseRows<double, std::int64_t>,
                          SparseRows<float, std::int32_t>, SparseRows<float, std::int64_t>,
                          DenseRows<double>, DenseRows<float>, TableRows>;

}  // namespace noregret
