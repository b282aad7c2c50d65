// Rows for the kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../rows.hpp"
#include "kernels.hpp"

namespace noregret {

// A row in the form that the kernels take, whatever form it came in.
class PlainRow {
 public:
  using Row = SparseRow<double, std::uint32_t>;

  std::size_t take(const Rows& rows, std::size_t r) {
    return std::visit([&](const auto& all) { return take(all.row(r, false)); }, rows);
  }
  // Also gives all slots laid over each other: no slot is larger, and a negative one looks huge.
  template <class V, class I>
  std::size_t take(const SparseRow<V, I>& x) {
    if constexpr (std::is_same_v<V, double> && sizeof(I) == 4) {
      row = {reinterpret_cast<const std::uint32_t*>(x.slots), x.values, x.size};
      std::uint32_t bits = 0;
      for (std::size_t k = 0; k < x.size; ++k) bits |= row.slots[k];
      return bits;
    } else {
      return copy(x);
    }
  }
  template <class V>
  std::size_t take(const DenseRow<V>& x) {
    return copy(x);
  }
  std::size_t take(const TableRow& x) { return copy(x); }

  // Slots beyond `size` become `other`.
  void replace(std::size_t size, std::uint32_t other) {
    if (std::all_of(row.slots, row.slots + row.size, [&](auto slot) { return slot < size; })) return;
    slots_.assign(row.slots, row.slots + row.size);
    for (auto& slot : slots_) slot = slot < size ? slot : other;
    row.slots = slots_.data();
  }

  // It as a row like any other.
  Row with(bool bias) const { return {row.values, row.slots, row.size, bias}; }

  group::Row row{};

 private:
  std::size_t copy(const auto& x) {
    slots_.resize(x.size);
    values_.resize(x.size);
    std::size_t bits = 0, found = 0;
    for (std::size_t k = 0; k < x.size; ++k) {
      if (!is_there(x, k)) continue;
      bits |= static_cast<std::size_t>(x.slot(k));
      slots_[found] = static_cast<std::uint32_t>(x.slot(k));
      values_[found++] = x.value(k);
    }
    row = {slots_.data(), values_.data(), found};
    return bits;
  }
  std::vector<std::uint32_t> slots_;
  std::vector<double> values_;
};

// The row after the one at work, while a block is played.
class ComingRow {
 public:
  // Row r takes the place of `now`, and the row after it is the one that comes. Gives all slots of row r laid over each other.
  std::size_t turn(PlainRow& now, const Rows& rows, std::size_t count, std::size_t r) {
    if (r == 0) come(rows, count, 0);
    std::swap(now, row_);
    const std::size_t bits = bits_;
    come(rows, count, r + 1);
    return bits;
  }
  // Empty if there is none, or not all of its features have one of so many slots.
  group::Row row(std::size_t slots) const { return bits_ < slots ? row_.row : group::Row{}; }
  void forget() { bits_ = kNone; }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  void come(const Rows& rows, std::size_t count, std::size_t r) { bits_ = r < count ? row_.take(rows, r) : kNone; }

  PlainRow row_;
  std::size_t bits_ = kNone;
};

}  // namespace noregret
