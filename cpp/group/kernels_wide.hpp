// The kernels for one width. Each file that includes this is compiled for one instruction set and makes one width; all
// that is called is flattened into the kernels, so that no function of one set can end up in another.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "../scaler.hpp"
#include "kernels.hpp"
#include "pack.hpp"
#include "rules.hpp"

namespace noregret::group {

constexpr std::size_t kAhead = 16;  // features: their numbers lie far apart, and are asked for ahead

// Columns [column, column + 8·B) of the sums, each in one accumulator.
template <int W, int B>
NOREGRET_PACK void dot_columns(const double* weights, Row x, std::size_t stride, double* sums) {
  constexpr int kPacks = B * static_cast<int>(kColumns) / W;
  Pack<W> sum[kPacks];
  for (int p = 0; p < kPacks; ++p) sum[p] = Pack<W>::load(sums + p * W);
  for (std::size_t k = 0; k < x.size; ++k) {
    const double* ahead = weights + std::size_t{x.slots[std::min(k + kAhead, x.size - 1)]} * stride;
    for (int b = 0; b < B; ++b) __builtin_prefetch(ahead + b * kColumns);
    const double* w = weights + std::size_t{x.slots[k]} * stride;
    const Pack<W> value(x.values[k]);
    for (int p = 0; p < kPacks; ++p) sum[p] += Pack<W>::load(w + p * W) * value;
  }
  for (int p = 0; p < kPacks; ++p) sum[p].store(sums + p * W);
}

template <int W>
[[gnu::flatten]] void dots(const double* weights, Row x, std::size_t stride, double* sums) {
  std::size_t column = 0;
  for (; column + 4 * kColumns <= stride; column += 4 * kColumns) dot_columns<W, 4>(weights + column, x, stride, sums + column);
  if (column + 2 * kColumns <= stride) {
    dot_columns<W, 2>(weights + column, x, stride, sums + column);
    column += 2 * kColumns;
  }
  if (column < stride) dot_columns<W, 1>(weights + column, x, stride, sums + column);
}

template <class Rule, int W>
using Packs = std::array<Pack<W>, Rule::kLanes.size()>;

template <class Rule, int W>
NOREGRET_PACK Packs<Rule, W> load(const std::array<double*, Rule::kLanes.size()>& lanes, std::size_t at) {
  Packs<Rule, W> numbers;
  for (std::size_t lane = 0; lane < numbers.size(); ++lane) numbers[lane] = Pack<W>::load(lanes[lane] + at);
  return numbers;
}

// The lanes behind the weights, which no score has read: they are asked for ahead.
template <class Rule>
NOREGRET_PACK void ask_for(const std::array<double*, Rule::kLanes.size()>& lanes, Row x, std::size_t k, std::size_t stride, std::size_t column, int columns) {
  const std::size_t ahead = std::size_t{x.slots[std::min(k + kAhead, x.size - 1)]} * stride + column;
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
    for (int c = 0; c < columns; c += static_cast<int>(kColumns)) __builtin_prefetch(lanes[lane] + ahead + c);
  }
}

template <class Rule>
NOREGRET_PACK std::array<double*, Rule::kLanes.size()> pointers(double* const* lanes) {
  std::array<double*, Rule::kLanes.size()> copies;
  std::copy_n(lanes, copies.size(), copies.begin());
  return copies;
}

// P packs of columns at a time: their sums do not wait for each other.
template <class Rule, int W, int P>
NOREGRET_PACK void measure_columns(double* const* all, Row x, std::size_t stride, std::size_t column, double* sums) {
  const auto lanes = pointers<Rule>(all);
  Pack<W> sum[P];
  for (int p = 0; p < P; ++p) sum[p] = Pack<W>::load(sums + column + p * W);
  for (std::size_t k = 0; k < x.size; ++k) {
    ask_for<Rule>(lanes, x, k, stride, column, W * P);
    const std::size_t at = std::size_t{x.slots[k]} * stride + column;
    const Pack<W> value(x.values[k]);
    for (int p = 0; p < P; ++p) sum[p] += Rule::measure(load<Rule, W>(lanes, at + p * W), value);
  }
  for (int p = 0; p < P; ++p) sum[p].store(sums + column + p * W);
}

template <class Rule, int W>
[[gnu::flatten]] void measure(double* const* lanes, Row x, std::size_t stride, double* sums) {
  std::size_t column = 0;
  for (; column + 2 * W <= stride; column += 2 * W) measure_columns<Rule, W, 2>(lanes, x, stride, column, sums);
  if (column < stride) measure_columns<Rule, W, 1>(lanes, x, stride, column, sums);
}

template <class Rule, int W, int P>
NOREGRET_PACK void apply_columns(double* const* all, Row x, std::size_t stride, std::size_t column, const Move& move) {
  const auto lanes = pointers<Rule>(all);
  constexpr std::size_t kCount = Rule::kLanes.size();
  std::int64_t any = 0;
  for (int k = 0; k < W * P; ++k) any |= move.moving[column + k];
  if (any == 0) return;
  typename Pack<W>::Bits moving[P];
  std::memcpy(moving, move.moving + column, sizeof moving);
  std::array<Pack<W>, 2> step[P];
  Pack<W> change[P], doubt[P];
  for (int p = 0; p < P; ++p) {
    const std::size_t at = column + p * W;
    step[p] = {Pack<W>::load(move.first + at), Pack<W>::load(move.second + at)};
    change[p] = Pack<W>::load(move.change + at);
    doubt[p] = Pack<W>::load(move.doubt + at);
  }
  for (std::size_t k = 0; k < x.size; ++k) {
    ask_for<Rule>(lanes, x, k, stride, column, W * P);
    const Pack<W> value(x.values[k]);
    for (int p = 0; p < P; ++p) {
      const std::size_t at = std::size_t{x.slots[k]} * stride + column + p * W;
      const Packs<Rule, W> before = load<Rule, W>(lanes, at);
      Packs<Rule, W> after = before;
      Rule::apply(after, value, step[p]);
      for (std::size_t lane = 0; lane < kCount; ++lane) {
        after[lane] = Pack<W>::chosen(moving[p], after[lane], before[lane]);
        after[lane].store(lanes[lane] + at);
        if (lane > 0) doubt[p] += after[lane] * Pack<W>(0.0);
      }
      change[p] += (after[0] - before[0]) * (after[0] + before[0]);
    }
  }
  for (int p = 0; p < P; ++p) {
    change[p].store(move.change + column + p * W);
    doubt[p].store(move.doubt + column + p * W);
  }
}

template <class Rule, int W>
[[gnu::flatten]] void apply(double* const* lanes, Row x, std::size_t stride, const Move& move) {
  std::size_t column = 0;
  for (; column + 2 * W <= stride; column += 2 * W) apply_columns<Rule, W, 2>(lanes, x, stride, column, move);
  if (column < stride) apply_columns<Rule, W, 1>(lanes, x, stride, column, move);
}

template <class Form, int W>
[[gnu::flatten]] double scale(const Scaling& row) {
  Pack<W> doubt;
  const Pack<W> before(row.rows), after(row.rows + 1.0);
  for (std::size_t k = 0; k < row.room; k += W) {
    const Pack<W> value = Pack<W>::load(row.values + k);
    Pack<W> met[Form::kCount];
    for (std::size_t n = 0; n < Form::kCount; ++n) met[n] = Pack<W>::load(row.met + n * row.room + k);
    Form::scaled(met, value, before).store(row.seen + k);
    Form::take(met, value);
    Form::scaled(met, value, after).store(row.taken + k);
    for (std::size_t n = 0; n < Form::kCount; ++n) {
      met[n].store(row.met + n * row.room + k);
      doubt += met[n] * Pack<W>(0.0);
    }
  }
  double numbers[W], sum = 0.0;
  doubt.store(numbers);
  for (const double number : numbers) sum += number;
  return sum;
}

template <class Rule, int W>
constexpr RuleKernels rule_kernels_of() {
  if constexpr (requires(Packs<Rule, W> at) { Rule::measure(at, 1.0); }) {
    return {Rule::kName, Rule::kLanes.size(), measure<Rule, W>, apply<Rule, W>};
  } else {
    return {Rule::kName, Rule::kLanes.size(), nullptr, apply<Rule, W>};
  }
}

template <int W, class... Rule>
constexpr std::array<RuleKernels, sizeof...(Rule)> all_kernels(std::tuple<Rule...>*) {
  return {rule_kernels_of<Rule, W>()...};
}

template <int W>
inline constexpr auto kRules = all_kernels<W>(static_cast<Rules*>(nullptr));

template <int W>
constexpr Kernels kernels_of() {
  return {dots<W>, scale<Standard, W>, scale<Largest, W>, scale<RootMeanSquare, W>, kRules<W>.data(), kRules<W>.size()};
}

}  // namespace noregret::group
