// Columns to rows, a few rows of all columns at a time: they stay in the processor's cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <variant>
#include <vector>

#include "cells.hpp"

namespace noregret {

// Rows of so many cells, that are filled column by column.
template <class To>
class Tile {
 public:
  Tile(To* to, std::size_t width, std::size_t begin, std::size_t end) : to_(to), width_(width), begin_(begin), end_(end) {}

  void fill(std::size_t column, const Cells& cells) {
    std::visit([&](auto from) { fill_with(column, from); }, cells);
  }
  // So many columns at once: eight are a line of the cache, which is then written once. False when they do not all hold doubles.
  template <std::size_t kFew>
  bool fill_few(std::size_t column, const Cells* cells) {
    if constexpr (std::is_same_v<To, double>) {
      std::array<const double*, kFew> from;
      for (std::size_t j = 0; j < kFew; ++j) {
        if (!std::holds_alternative<const double*>(cells[j])) return false;
        from[j] = std::get<const double*>(cells[j]);
      }
      fill_with_doubles(column, from);
      return true;
    }
    return false;
  }
  bool has_nan() const { return nan_; }

 private:
  template <class From>
  void fill_with(std::size_t column, From from) {
    bool nan = false;
    To* to = to_ + begin_ * width_ + column;
    for (std::size_t r = begin_; r < end_; ++r, to += width_) {
      if constexpr (std::is_pointer_v<From>) {
        *to = static_cast<To>(from[r]);
      } else {
        *to = static_cast<To>(from);
      }
      nan |= *to != *to;
    }
    nan_ |= nan;
  }

  // Two rows of two columns change places in two registers.
  template <std::size_t kFew>
  void fill_with_doubles(std::size_t column, const std::array<const double*, kFew>& from) {
    using Pair = double __attribute__((vector_size(16)));
    using Both = std::int64_t __attribute__((vector_size(16)));
    Both odd = {0, 0};  // not 0 once there was a NaN
    double* to = to_ + begin_ * width_ + column;
    std::size_t r = begin_;
    for (; r + 2 <= end_; r += 2, to += 2 * width_) {
      for (std::size_t j = 0; j < kFew; j += 2) {
        Pair left, right;  // copied, since they lie anywhere: a copy of this size is one instruction
        std::memcpy(&left, from[j] + r, sizeof(Pair));
        std::memcpy(&right, from[j + 1] + r, sizeof(Pair));
        odd |= (left != left) | (right != right);
        const Pair upper{left[0], right[0]}, lower{left[1], right[1]};
        std::memcpy(to + j, &upper, sizeof(Pair));
        std::memcpy(to + width_ + j, &lower, sizeof(Pair));
      }
    }
    bool nan = (odd[0] | odd[1]) != 0;
    for (; r < end_; ++r, to += width_) {
      for (std::size_t j = 0; j < kFew; ++j) {
        to[j] = from[j][r];
        nan |= to[j] != to[j];
      }
    }
    nan_ |= nan;
  }

  To* to_;
  std::size_t width_, begin_, end_;
  bool nan_ = false;
};

// A row to begin with, where most columns hold one number in all cells; else nothing.
template <class To>
std::vector<To> mostly_constant(const std::vector<Cells>& columns) {
  std::vector<To> row(columns.size());
  std::size_t constant = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double* number = std::get_if<double>(&columns[j]);
    if (number == nullptr) continue;
    if (*number != *number) return {};  // to be found
    row[j] = static_cast<To>(*number);
    ++constant;
  }
  if (2 * constant <= columns.size()) row.clear();
  return row;
}

// Lays columns side by side, row after row; false when a cell is NaN.
template <class To>
bool lay_out(const std::vector<Cells>& columns, std::size_t rows, To* to) {
  constexpr std::size_t kTile = 128;
  const std::size_t width = columns.size();
  const std::vector<To> usual = mostly_constant<To>(columns);
  bool nan = false;
  for (std::size_t begin = 0; begin < rows && !nan; begin += kTile) {
    const std::size_t end = std::min(rows, begin + kTile);
    for (std::size_t r = begin; r < end && !usual.empty(); ++r) std::copy_n(usual.data(), width, to + r * width);
    Tile<To> tile(to, width, begin, end);
    for (std::size_t j = 0; j < width;) {
      if (!usual.empty() && std::holds_alternative<double>(columns[j])) {
        ++j;
      } else if (j + 8 <= width && tile.template fill_few<8>(j, &columns[j])) {
        j += 8;
      } else if (j + 4 <= width && tile.template fill_few<4>(j, &columns[j])) {
        j += 4;
      } else {
        tile.fill(j, columns[j]);
        ++j;
      }
    }
    nan = tile.has_nan();
  }
  return !nan;
}

}  // namespace noregret
