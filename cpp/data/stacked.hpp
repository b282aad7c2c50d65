// Columns one behind the other in one block of memory: a matrix whose columns are whole. That takes a copy of each column, where laying
// rows out takes as long again as learning from them; and the loop adds up neighbouring rows side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "cells.hpp"
#include "column.hpp"

namespace noregret {

// The cells of a table that are not NaN, as compressed sparse rows. A column has a feature, or one below 0: then its cells are features.
struct Compressed {
  Compressed(const double* cells, std::ptrdiff_t step, std::size_t rows, std::span<const std::int32_t> columns);

  Column<double> values;
  Column<std::int32_t> features, starts;
};

class Stacked {
 public:
  static constexpr std::size_t kFront = 8;  // numbers in front of each column that are nobody's

  Stacked(std::size_t rows, std::size_t width) : rows(rows), width(width), step(step_of(rows + kFront)), block_(kFront + kLine + width * step) {}

  // False when a cell is NaN.
  bool put(std::size_t column, const Cells& cells) {
    return std::visit([&](auto from) { return put_numbers(from, at(column)); }, cells);
  }
  // Where the cells of a column go.
  double* at(std::size_t column) { return data() + column * step; }

  // At the start of a line of the cache: eight cells that are added up at once lie in one.
  double* data() {
    double* first = block_.data() + kFront;
    return first + (kLine - reinterpret_cast<std::uintptr_t>(first) / sizeof(double) % kLine) % kLine;
  }

  std::size_t rows, width;
  std::size_t step;   // from a column to the next
  bool whole = true;  // no cell is NaN, which stands for one that is missing

 private:
  static constexpr std::size_t kLine = 8;  // numbers

  // Whole lines of the cache, and an odd number of them: the cells of a row would else compete for a few places there.
  static std::size_t step_of(std::size_t rows) {
    return ((rows + kLine - 1) / kLine | 1) * kLine;
  }

  template <class From>
  bool put_numbers(const From* __restrict from, double* __restrict to) const {
    std::int64_t nan = 0;  // as wide as a number, so that several are looked at at once
    for (std::size_t r = 0; r < rows; ++r) {
      const auto number = static_cast<double>(from[r]);
      to[r] = number;
      nan |= number != number ? 1 : 0;
    }
    return nan == 0;
  }
  bool put_numbers(double number, double* to) const {
    std::fill_n(to, rows, number);
    return number == number;
  }

  Column<double> block_;
};

}  // namespace noregret
