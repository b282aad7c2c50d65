// Features to slots. A learner keeps the first kind of feature that it meets: integers or names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "names.hpp"
#include "refusal.hpp"
#include "rows.hpp"

namespace noregret {

enum class FeatureKind { none, index, name };

inline constexpr std::int64_t kLargestIndex = 2147483646;  // 2³¹ − 2
inline void require_index(std::int64_t index) {
  if (index >= 0 && index <= kLargestIndex) return;
  throw Refusal("BadInput", "feature " + std::to_string(index) + " is out of range: 0 to " + std::to_string(kLargestIndex));
}

class Features {
 public:
  // Integers below this are their own slot; larger ones are looked up, so that one feature
  // called 2,000,000,000 costs one slot and not two thousand million.
  static constexpr std::uint32_t kDirect = 1u << 20;

  FeatureKind kind = FeatureKind::none;
  Names names;

  void require(FeatureKind wanted) const;

  std::uint32_t find(std::int64_t index) const {
    if (index < kDirect) return static_cast<std::uint32_t>(index);
    const auto found = far_.find(index);
    return found == far_.end() ? kUnknown : found->second;
  }
  std::uint32_t add(std::int64_t index);

  bool operator==(const Features& other) const;

  // What is known so far, and going back to it.
  struct Mark {
    FeatureKind kind;
    std::size_t names, far;
  };
  Mark mark() const { return {kind, names.size(), far_indices_.size()}; }
  void go_back(const Mark& mark) {
    kind = mark.kind;
    names.cut(mark.names);
    for (; far_indices_.size() > mark.far; far_indices_.pop_back()) far_.erase(far_indices_.back());
  }
  // What `work` adds is forgotten again when it fails.
  decltype(auto) or_forget(auto&& work) {
    const Mark before = mark();
    try {
      return work();
    } catch (...) {
      go_back(before);
      throw;
    }
  }

  const std::vector<std::int64_t>& far() const { return far_indices_; }
  // The integer that stands in a slot.
  std::int64_t index_at(std::size_t slot) const {
    return slot < kDirect ? static_cast<std::int64_t>(slot) : far_indices_.at(slot - kDirect);
  }

 private:
  std::unordered_map<std::int64_t, std::uint32_t> far_;
  std::vector<std::int64_t> far_indices_;
};

// A row whose features are being looked up. Features not met before wait in `pending`, so that a
// row can be scored, and refused, before it leaves a trace.
class Resolved {
 public:
  void clear(std::size_t room) {
    forget_source();
    distinct = false;
    size_ = 0;
    pending_.clear();
    made_.clear();
    if (slots_.size() < room) {
      values_.resize(room);
      slots_.resize(room);  // last: its size is what counts, should there be no memory for both
    }
  }
  void push(std::uint32_t slot, double value) {
    if (size_ == slots_.size()) widen();
    slots_[size_] = slot;
    values_[size_++] = value;
  }
  // Where the next features go, for somebody who fills the room that he asked for and then says how much.
  std::pair<std::uint32_t*, double*> free() { return {slots_.data() + size_, values_.data() + size_}; }
  void add(std::size_t count) { size_ += count; }
  // The name must outlive the row; one that was made for it is kept by keep().
  void push_name(const Features& features, std::string_view name, std::uint32_t hash, double value) {
    const Spelling spelling(name);
    const std::uint32_t slot = features.names.find(name, spelling, hash);
    if (slot == kUnknown) await(size_, name, spelling, hash);
    push(slot, value);
  }
  std::string_view keep(std::string name) { return made_.emplace_back(std::move(name)); }
  // Feature number `at` has a name that was not met before.
  void await(std::size_t at, std::string_view name, const Spelling& spelling, std::uint32_t hash) { pending_.push_back({at, name, hash, spelling}); }
  void push_index(const Features& features, std::int64_t index, double value) {
    const std::uint32_t slot = features.find(index);
    if (slot == kUnknown) pending_.push_back({size_, {}, index, {}});
    push(slot, value);
  }

  // Lets waiting features that differ stand in different slots, all of them beyond those that are taken.
  void distinguish();

  // What it was made of, as a number that nothing else has; 0 for what has none. Until something is learned, the row need not be made
  // again of the same.
  void set_source(std::uint64_t source) { source_ = source; }
  bool is_of(std::uint64_t source) const { return source != 0 && source == source_; }
  std::optional<double> score;  // of this row, if it was asked for; good as long as the source is
  void forget_source() {
    source_ = 0;
    score.reset();
  }

  // Gives the waiting features their slots.
  void commit(Features& features) {
    forget_source();
    for (const Pending& feature : pending_) {
      slots_[feature.at] = features.kind == FeatureKind::name
                               ? features.names.add(feature.name, feature.spelling, static_cast<std::uint32_t>(feature.key))
                               : features.add(feature.key);
    }
    pending_.clear();
  }

  // After commit(): no slot of the row is as high.
  std::size_t slots_needed(const Features& features) const {
    if (kind == FeatureKind::name) return features.names.size();
    std::uint32_t highest = 0;
    for (std::size_t k = 0; k < size_; ++k) highest = std::max(highest, slots_[k]);
    return size_ == 0 ? 0 : std::size_t{highest} + 1;
  }

  // Whether a feature that was not met before stands in the row twice.
  bool repeats_a_stranger() const {
    std::set<std::pair<std::int64_t, std::string_view>> met;
    return pending_.size() > 1 && std::any_of(pending_.begin(), pending_.end(), [&](const Pending& feature) {
             return !met.insert({feature.key, feature.name}).second;
           });
  }
  // The same row with all of each at its first place, and 0 at the others.
  Resolved with_strangers_added_up() const {
    Resolved row = *this;
    std::map<std::pair<std::int64_t, std::string_view>, std::size_t> first;
    row.pending_.clear();
    for (const Pending& feature : pending_) {
      const auto [found, is_new] = first.try_emplace({feature.key, feature.name}, feature.at);
      if (is_new) {
        row.pending_.push_back(feature);
      } else {
        row.values_[found->second] += row.values_[feature.at];
        row.values_[feature.at] = 0.0;
      }
    }
    return row;
  }

  std::size_t size() const { return size_; }
  std::uint32_t slot(std::size_t k) const { return slots_[k]; }
  SparseRow<double, std::uint32_t> row(bool bias) const {
    return {values_.data(), slots_.data(), size_, bias, distinct && made_.empty()};
  }
  // The same with a slot of its own, which nothing has, for each feature not met before.
  SparseRow<double, std::uint32_t> told_apart(bool bias) const;
  // How a person would call feature number k of this row.
  std::string label(const Features& features, std::size_t k) const;

  FeatureKind kind = FeatureKind::none;
  bool distinct = false;    // no two features were given the same name; one that was made for the row may still be that of another
  std::int64_t width = -1;  // the number of features of an array; −1 when it is not known

 private:
  struct Pending {
    std::size_t at;
    std::string_view name;
    std::int64_t key;  // the hash of the name, or the number of a feature that has none
    Spelling spelling;
  };
  [[gnu::noinline]] void widen() {  // out of line, so that push() is not
    values_.resize(2 * size_ + 8);
    slots_.resize(2 * size_ + 8);
  }

  std::vector<std::uint32_t> slots_;
  std::vector<double> values_;
  std::size_t size_ = 0;
  std::uint64_t source_ = 0;
  std::vector<Pending> pending_;
  mutable std::vector<std::uint32_t> apart_;
  std::deque<std::string> made_;  // a deque: growing it moves nothing
};

}  // namespace noregret
