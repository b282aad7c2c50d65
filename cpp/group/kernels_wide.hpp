// The kernels for one width. Each file that includes this is compiled for one instruction set and makes one width; all
// that is called is flattened into the kernels, so that no function of one set can end up in another.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "../scaler.hpp"
#include "kernels.hpp"
#include "pack.hpp"
#include "rules.hpp"

namespace noregret::group {

constexpr std::size_t kAhead = 64;  // features: their numbers lie far apart, and are asked for ahead

template <class Rule>
constexpr std::size_t kCount = Rule::kLanes.size();
template <class Rule, int W, Roots kRoots = Roots::divider>
using Packs = std::array<Pack<W, kRoots>, kCount<Rule>>;
template <class Rule, int W>
constexpr bool kMeasures = requires(Packs<Rule, W> at) { Rule::measure(at, 1.0); };

template <class Rule, int W, Roots kRoots = Roots::divider>
NOREGRET_PACK Packs<Rule, W, kRoots> load(const double* numbers, std::size_t stride) {
  Packs<Rule, W, kRoots> packs;
  for (std::size_t lane = 0; lane < packs.size(); ++lane) packs[lane] = Pack<W, kRoots>::load(numbers + lane * stride);
  return packs;
}

template <class Rule, int C>
NOREGRET_PACK void ask_for(const double* numbers, std::size_t stride, std::uint32_t slot) {
  const double* ahead = numbers + std::size_t{slot} * kCount<Rule> * stride;
  for (std::size_t lane = 0; lane < kCount<Rule>; ++lane) {
    for (int c = 0; c < C; c += static_cast<int>(kColumns)) __builtin_prefetch(ahead + lane * stride + c);
  }
}

// The slot of the feature that comes kAhead after the k-th, in this row or in the next.
NOREGRET_PACK std::uint32_t slot_ahead(Row x, Row next, std::size_t k) {
  k += kAhead;
  if (k < x.size) return x.slots[k];
  k -= x.size;
  return k < next.size ? next.slots[k] : x.slots[x.size - 1];
}

// C columns at a time: their sums, each in one accumulator, do not wait for each other.
template <class Rule, int W, int C>
NOREGRET_PACK void look_at_columns(const double* numbers, Row x, std::size_t stride, std::size_t column, const Look& look) {
  constexpr int P = C / W;
  Pack<W> sum[P], measured[P];
  for (int p = 0; p < P; ++p) {
    sum[p] = Pack<W>::load(look.sums + column + p * W);
    if constexpr (kMeasures<Rule, W>) measured[p] = Pack<W>::load(look.measured + column + p * W);
  }
  for (std::size_t k = 0; k < x.size; ++k) {
    ask_for<Rule, C>(numbers + column, stride, slot_ahead(x, look.next, k));
    const double* at = numbers + std::size_t{x.slots[k]} * kCount<Rule> * stride + column;
    const Pack<W> value(x.values[k]);
    for (int p = 0; p < P; ++p) {
      sum[p] += Pack<W>::load(at + p * W) * value;
      if constexpr (kMeasures<Rule, W>) measured[p] += Rule::measure(load<Rule, W>(at + p * W, stride), value);
    }
  }
  for (int p = 0; p < P; ++p) {
    sum[p].store(look.sums + column + p * W);
    if constexpr (kMeasures<Rule, W>) measured[p].store(look.measured + column + p * W);
  }
}

template <class Rule, int W>
[[gnu::flatten]] void look_at(const double* numbers, Row x, std::size_t stride, const Look& look) {
  constexpr int kMost = kMeasures<Rule, W> ? std::min(4 * W, 16) : 32;  // as many as there are registers for
  std::size_t column = 0;
  for (; column + kMost <= stride; column += kMost) look_at_columns<Rule, W, kMost>(numbers, x, stride, column, look);
  if (kMost > 16 && column + 16 <= stride) {
    look_at_columns<Rule, W, 16>(numbers, x, stride, column, look);
    column += 16;
  }
  if (column < stride) look_at_columns<Rule, W, 8>(numbers, x, stride, column, look);
}

// What W columns of a row become, and what that changes.
template <class Rule, int W, Roots kRoots>
struct Mover {
  using Some = Pack<W, kRoots>;
  typename Some::Bits moving;
  std::array<Some, 2> step;
  Some change, doubt;

  NOREGRET_PACK Mover(const Move& move, std::size_t column)
      : step{Some::load(move.first + column), Some::load(move.second + column)},
        change(Some::load(move.change + column)),
        doubt(Some::load(move.doubt + column)) {
    std::memcpy(&moving, move.moving + column, sizeof moving);
  }
  NOREGRET_PACK void apply(double* at, double value, std::size_t stride) {
    const Packs<Rule, W, kRoots> before = load<Rule, W, kRoots>(at, stride);
    Packs<Rule, W, kRoots> after = before;
    Rule::apply(after, Some(value), step);
    for (std::size_t lane = 0; lane < after.size(); ++lane) {
      after[lane] = Some::chosen(moving, after[lane], before[lane]);
      after[lane].store(at + lane * stride);
      if (lane > 0) doubt += after[lane] * Some(0.0);
    }
    change += (after[0] - before[0]) * (after[0] + before[0]);
  }
  NOREGRET_PACK void store(const Move& move, std::size_t column) const {
    change.store(move.change + column);
    doubt.store(move.doubt + column);
  }
};

NOREGRET_PACK bool any_moves(const Move& move, std::size_t column, int count) {
  std::int64_t any = 0;
  for (int k = 0; k < count; ++k) any |= move.moving[column + k];
  return any != 0;
}

// One pack of columns after the other, or two side by side.
template <class Rule, int W, class... Movers>
NOREGRET_PACK void apply_columns(double* numbers, Row x, std::size_t stride, std::size_t column, const Move& move) {
  constexpr int kWide = W * static_cast<int>(sizeof...(Movers));
  if (!any_moves(move, column, kWide)) return;
  std::size_t place = column;
  std::tuple<Movers...> movers{Movers(move, std::exchange(place, place + W))...};
  for (std::size_t k = 0; k < x.size; ++k) {
    if (k < move.next.size) ask_for<Rule, kWide>(numbers + column, stride, move.next.slots[k]);
    double* at = numbers + std::size_t{x.slots[k]} * kCount<Rule> * stride + column;
    const double value = x.values[k];
    std::apply([&](auto&... mover) { (mover.apply(std::exchange(at, at + W), value, stride), ...); }, movers);
  }
  std::apply([&](const auto&... mover) { (mover.store(move, std::exchange(column, column + W)), ...); }, movers);
}

template <class Rule, int W>
[[gnu::flatten]] void apply(double* numbers, Row x, std::size_t stride, const Move& move) {
  using Divider = Mover<Rule, W, Roots::divider>;
  using Multiplication = Mover<Rule, W, Roots::multiplication>;
  std::size_t column = 0;
  for (; column + 2 * W <= stride; column += 2 * W) {
    apply_columns<Rule, W, Divider, Multiplication>(numbers, x, stride, column, move);
  }
  if (column < stride) apply_columns<Rule, W, Divider>(numbers, x, stride, column, move);
}

template <int W>
[[gnu::flatten]] bool within(const double* numbers, std::size_t count, double limit) {
  const Pack<W> most(limit), least(-limit);
  std::size_t k = 0;
  typename Pack<W>::Bits beyond{};
  for (; k + W <= count; k += W) {
    const Pack<W> some = Pack<W>::load(numbers + k);
    beyond |= ~((some.v <= most.v) & (some.v >= least.v));
  }
  std::int64_t any = 0;
  for (int j = 0; j < W; ++j) any |= beyond[j];
  for (; k < count; ++k) any |= numbers[k] <= limit && numbers[k] >= -limit ? 0 : 1;
  return any == 0;
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
  return {Rule::kName, kCount<Rule>, look_at<Rule, W>, apply<Rule, W>};
}

template <int W, class... Rule>
constexpr std::array<RuleKernels, sizeof...(Rule)> all_kernels(std::tuple<Rule...>*) {
  return {rule_kernels_of<Rule, W>()...};
}

template <int W>
inline constexpr auto kRules = all_kernels<W>(static_cast<Rules*>(nullptr));

template <int W>
constexpr Kernels kernels_of() {
  return {within<W>, scale<Standard, W>, scale<Largest, W>, scale<RootMeanSquare, W>, kRules<W>.data(), kRules<W>.size()};
}

}  // namespace noregret::group
