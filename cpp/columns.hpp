// The columns of a block: what they are called, and which slots of a learner they stand for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "below.hpp"
#include "data/vocabulary.hpp"
#include "features.hpp"
#include "rows.hpp"

namespace noregret {

// The names of columns: a list of its own, or the vocabulary of a stream, which goes on from block to
// block; or none, and column j is the integer j.
struct ColumnNames {
  const std::vector<std::string_view>* listed = nullptr;
  const Vocabulary* vocabulary = nullptr;

  explicit operator bool() const { return listed != nullptr || vocabulary != nullptr; }
  std::size_t size() const { return listed != nullptr ? listed->size() : vocabulary->size(); }
  std::string_view operator[](std::size_t column) const { return listed != nullptr ? (*listed)[column] : vocabulary->at(column); }
};

// What a learner remembers of the columns of a stream: the slot of each, kUnknown for one that it has
// not learned about.
struct KnownColumns {
  std::vector<std::uint32_t> slots;

  void look_at(const ColumnNames& columns) {
    const std::uint64_t now = columns.vocabulary != nullptr ? columns.vocabulary->identity() : 0;
    if (now == 0 || now != vocabulary) {
      slots.clear();
      straight = 0;
    }
    vocabulary = now;
    slots.resize(columns.size(), kUnknown);
  }
  // Whether the columns of a row are its slots already.
  template <class V, class I>
  bool are_slots(const SparseRow<V, I>& x) {
    using U = std::make_unsigned_t<I>;  // a negative column is out of everybody's range
    if (all_below(x.slots, x.size, straight)) return true;
    if (straight < slots.size() && slots[straight] != kUnknown && slots[straight] != straight) return false;
    const auto lower = [](I a, I b) { return static_cast<U>(a) < static_cast<U>(b); };
    return are_slots_up_to(static_cast<U>(*std::max_element(x.slots, x.slots + x.size, lower)));
  }
  template <class V>
  bool are_slots(const DenseRow<V>& x) {
    return x.size > 0 && are_slots_up_to(x.size - 1);
  }

  // The same for so many rows from r on, all at once.
  template <class V, class I>
  bool are_slots(const SparseRows<V, I>& rows, std::size_t r, std::size_t count) {
    const I begin = rows.starts[r];
    return are_slots(SparseRow<V, I>{rows.values + begin, rows.indices + begin, static_cast<std::size_t>(rows.starts[r + count] - begin), false});
  }
  template <class V>
  bool are_slots(const DenseRows<V>& rows, std::size_t r, std::size_t) {
    return are_slots(rows.row(r, false));
  }

  // Columns to slots; false when there is a column that has none yet.
  template <class V, class I>
  bool translate(const SparseRow<V, I>& x, std::vector<std::uint32_t>& into) const {
    if (into.size() < x.size) into.resize(x.size);
    if (!all_below(x.slots, x.size, slots.size())) return false;
    for (std::size_t k = 0; k < x.size; ++k) into[k] = slots[static_cast<std::size_t>(x.slots[k])];
    std::uint32_t unknown = 0;
    for (std::size_t k = 0; k < x.size; ++k) unknown |= into[k] == kUnknown ? 1 : 0;
    return unknown == 0;
  }
  template <class V>
  bool translate(const DenseRow<V>& x, std::vector<std::uint32_t>& into) const {
    into = slots;
    return x.stride == 1 && std::find(into.begin(), into.end(), kUnknown) == into.end();
  }

 private:
  // Whether all columns up to this one are their own slots, as in a learner that met the names of a
  // stream in its order.
  bool are_slots_up_to(std::size_t column) {
    while (straight <= column && straight < slots.size() && slots[straight] == straight) ++straight;
    return column < straight;
  }

  std::uint64_t vocabulary = 0;
  std::size_t straight = 0;  // columns before this one are their own slots
};

// What a learner knows of a table: which rows have slots for all their features. A column of numbers is looked at until there is one.
class KnownTable {
 public:
  void look_at(const TableRows& rows) {
    first_ = rows.row(0, false);
    slots_.assign(rows.width, kUnknown);
    cells_.resize(rows.width);
    numbers_.clear();
    words_.clear();
    straight_ = true;
    met_.clear();
    for (std::size_t k = 0; k < rows.width; ++k) (first_.is_word(k) ? words_ : numbers_).push_back(k);
  }

  // Whether so many rows from r on have slots below a limit.
  bool has_weights(std::size_t r, std::size_t count, std::size_t limit) {
    while (!numbers_.empty() && is_known(numbers_.back(), limit)) numbers_.pop_back();
    for (const std::size_t k : numbers_) {
      if (!is_known(k, limit) && !is_empty(k, r, count)) return false;
    }
    bool below = true;
    for (const std::size_t k : words_) {
      const double* cells = first_.cell(k) + r;
      for (std::size_t j = 0; j < count; ++j) below &= slot_at(cells[j]) < limit;
    }
    return below;
  }

  // Gives `work` a row that has weights, its cells put together: what is learned from is gone through several times.
  auto in_one_piece(const TableRow& x, auto&& work) {
    if (x.holes) return without_holes(x, work);
    for (std::size_t k = 0; k < x.size; ++k) cells_[k] = *x.cell(k);
    if (straight_ && words_.empty()) return work(DenseRow<double>{cells_.data(), 1, x.size, x.bias});
    for (const std::size_t k : words_) {
      slots_[k] = static_cast<std::uint32_t>(slot_at(cells_[k]));
      cells_[k] = 1.0;
    }
    return work(SparseRow<double, std::uint32_t>{cells_.data(), slots_.data(), x.size, x.bias, are_distinct()});
  }

 private:
  bool is_known(std::size_t k, std::size_t limit) {
    const auto slot = static_cast<std::size_t>(first_.slot_of(first_.features[k]));
    if (slot >= limit) return false;
    slots_[k] = static_cast<std::uint32_t>(slot);
    straight_ = straight_ && slot == k;
    return true;
  }

  // Whether it is known that no slot stands twice in the row that was put together. Those of columns of numbers are looked at once.
  bool are_distinct() {
    if (!numbers_.empty()) return false;
    if (met_.empty()) {
      numbers_apart_ = true;
      for (std::size_t k = 0; k < first_.size; ++k) numbers_apart_ = (first_.is_word(k) || meet(slots_[k])) && numbers_apart_;
    }
    if (!numbers_apart_) return false;
    bool apart = true;
    std::size_t words = 0;
    while (apart && words < words_.size()) apart = meet(slots_[words_[words++]]);
    for (std::size_t j = 0; j < words - (apart ? 0 : 1); ++j) met_[slots_[words_[j]]] = false;
    return apart;
  }

  // False when a slot was met before.
  bool meet(std::uint32_t slot) {
    if (slot >= met_.size()) met_.resize(std::bit_ceil(std::size_t{slot} + 1));
    return !std::exchange(met_[slot], 1);
  }

  // Whether none of so many rows from r on has this column.
  bool is_empty(std::size_t k, std::size_t r, std::size_t count) const {
    const double* cells = first_.cell(k) + r;
    return first_.holes && std::all_of(cells, cells + count, [](double cell) { return cell != cell; });
  }

  auto without_holes(const TableRow& x, auto&& work) {
    found_.resize(x.size);
    std::size_t size = 0;
    for (std::size_t k = 0; k < x.size; ++k) {
      const double cell = *x.cell(k);
      cells_[size] = x.is_word(k) ? 1.0 : cell;  // whether it is there or not: nobody foresees that
      found_[size] = x.is_word(k) ? static_cast<std::uint32_t>(slot_at(cell)) : slots_[k];
      size += cell == cell ? 1 : 0;
    }
    return work(SparseRow<double, std::uint32_t>{cells_.data(), found_.data(), size, x.bias});
  }

  std::size_t slot_at(double cell) const { return static_cast<std::size_t>(first_.slot_of(static_cast<std::ptrdiff_t>(cell))); }

  TableRow first_{};
  std::vector<std::size_t> numbers_, words_;  // columns: those whose slots are not known yet, and those whose slots change
  std::vector<std::uint32_t> slots_, found_;
  std::vector<double> cells_;
  bool straight_ = true;  // as far as slots are known, each is its column
  std::vector<char> met_;  // slots that numbers have; empty until all of these are known
  bool numbers_apart_ = false;  // no two columns of numbers have the same
};

// A row with slots in place of its columns.
auto with_slots(const auto& x, const std::vector<std::uint32_t>& slots) {
  return SparseRow<std::remove_cvref_t<decltype(*x.values)>, std::uint32_t>{x.values, slots.data(), x.size, x.bias};
}

}  // namespace noregret
