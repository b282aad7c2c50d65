// The kernels for one width. Each file that includes this is compiled for one instruction set and makes one width; all
// that is called is flattened into the kernels, so that no function of one set can end up in another.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "kernels.hpp"
#include "pack.hpp"
#include "rules.hpp"

namespace noregret::group {

constexpr std::size_t kAhead = 8;  // features: their numbers lie far apart, and are asked for ahead

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
NOREGRET_PACK Packs<Rule, W> load(double* const* lanes, std::size_t at) {
  Packs<Rule, W> numbers;
  for (std::size_t lane = 0; lane < numbers.size(); ++lane) numbers[lane] = Pack<W>::load(lanes[lane] + at);
  return numbers;
}

template <class Rule, int W>
[[gnu::flatten]] void measure(double* const* lanes, Row x, std::size_t stride, double* sums) {
  for (std::size_t column = 0; column < stride; column += W) {
    Pack<W> sum = Pack<W>::load(sums + column);
    for (std::size_t k = 0; k < x.size; ++k) {
      sum += Rule::measure(load<Rule, W>(lanes, std::size_t{x.slots[k]} * stride + column), x.values[k]);
    }
    sum.store(sums + column);
  }
}

template <class Rule, int W>
[[gnu::flatten]] void apply(double* const* lanes, Row x, std::size_t stride, const Move& move) {
  constexpr std::size_t kCount = Rule::kLanes.size();
  for (std::size_t column = 0; column < stride; column += W) {
    typename Pack<W>::Bits moving;
    std::memcpy(&moving, move.moving + column, sizeof moving);
    std::int64_t any = 0;
    for (int k = 0; k < W; ++k) any |= moving[k];
    if (any == 0) continue;
    const std::array<Pack<W>, 2> step{Pack<W>::load(move.first + column), Pack<W>::load(move.second + column)};
    Pack<W> change = Pack<W>::load(move.change + column), doubt = Pack<W>::load(move.doubt + column);
    for (std::size_t k = 0; k < x.size; ++k) {
      const std::size_t at = std::size_t{x.slots[k]} * stride + column;
      const Packs<Rule, W> before = load<Rule, W>(lanes, at);
      Packs<Rule, W> after = before;
      Rule::apply(after, x.values[k], step);
      for (std::size_t lane = 0; lane < kCount; ++lane) {
        before[lane].store(move.undo + (k * kCount + lane) * stride + column);
        after[lane] = Pack<W>::chosen(moving, after[lane], before[lane]);
        after[lane].store(lanes[lane] + at);
        if (lane > 0) doubt += after[lane] * Pack<W>(0.0);
      }
      change += (after[0] - before[0]) * (after[0] + before[0]);
    }
    change.store(move.change + column);
    doubt.store(move.doubt + column);
  }
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
constexpr Kernels kernels_of(const char* name) {
  return {name, dots<W>, kRules<W>.data(), kRules<W>.size()};
}

}  // namespace noregret::group
