// Columns one behind the other in one block of memory: a matrix whose columns are whole. That takes a copy of each column, where laying
// rows out takes as long again as learning from them; and the loop adds up neighbouring rows side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "cells.hpp"
#include "column.hpp"

namespace noregret {

class Stacked {
 public:
  Stacked(std::size_t rows, std::size_t width) : rows(rows), width(width), step(step_of(rows)), block_(width * step + 1) {}

  // False when a cell is NaN.
  bool put(std::size_t column, const Cells& cells) {
    double* to = block_.data() + column * step;
    return std::visit([&](auto from) { return put_numbers(from, to); }, cells);
  }
  double* data() { return block_.data(); }

  std::size_t rows, width;
  std::size_t step;  // from a column to the next

 private:
  // Whole lines of the cache, and an odd number of them: the cells of a row would else compete for a few places there.
  static std::size_t step_of(std::size_t rows) {
    constexpr std::size_t kLine = 8;
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
