// A symmetric matrix over the features met: the full covariance of a second-order rule. A feature gets its place when it
// is first learned from with a value other than 0, so that the matrix is as wide as what was met, not as the largest index.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "rows.hpp"

namespace noregret {

class Square {
 public:
  static constexpr std::size_t kMost = 15811;  // features: 2 GB

  std::size_t size() const { return slots_.size(); }
  // The slots of the features, in the order in which they were met.
  const std::vector<std::ptrdiff_t>& slots() const { return slots_; }
  double* row(std::size_t place) { return numbers_.data() + place * room_; }
  const double* row(std::size_t place) const { return numbers_.data() + place * room_; }

  bool has(std::ptrdiff_t slot) const { return at(slot) < places_.size() && places_[at(slot)] != kNone; }
  std::size_t place(std::ptrdiff_t slot) const { return places_[at(slot)]; }

  // Refuses a matrix that would not fit memory, before anything has changed.
  void require_room(std::size_t more) const {
    const std::size_t wanted = size() + more;
    if (wanted > kMost) refuse(wanted);
  }

  // Gives a place to every feature of a row that has none. On the diagonal a new one starts with `initial`.
  void meet(const auto& x, double initial) {
    std::size_t more = 0;
    x.each([&](std::ptrdiff_t slot, double value) { more += value != 0.0 && !has(slot); });
    if (more == 0) return;
    require_room(more);
    reserve(size() + more);
    x.each([&](std::ptrdiff_t slot, double value) {
      if (value != 0.0 && !has(slot)) add(slot, initial);
    });
  }

  // Takes back the places beyond the first `size`, whose features have not been learned from after all.
  void forget(std::size_t size) {
    for (std::size_t place = size; place < this->size(); ++place) {
      row(place)[place] = 0.0;
      places_[at(slots_[place])] = kNone;
    }
    slots_.resize(size);
  }

  void add(std::ptrdiff_t slot, double initial) {
    reserve(size() + 1);
    if (at(slot) >= places_.size()) places_.resize(std::bit_ceil(at(slot) + 1), kNone);
    places_[at(slot)] = static_cast<std::uint32_t>(size());
    row(size())[size()] = initial;
    slots_.push_back(slot);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  static std::size_t at(std::ptrdiff_t slot) { return static_cast<std::size_t>(slot - kBias); }

  void reserve(std::size_t wanted) {
    if (wanted <= room_) return;
    const std::size_t room = std::min(std::bit_ceil(std::max<std::size_t>(wanted, 8)), kMost);
    std::vector<double> larger(room * room, 0.0);
    for (std::size_t place = 0; place < size(); ++place) std::copy_n(row(place), size(), larger.data() + place * room);
    numbers_.swap(larger);
    room_ = room;
  }

  [[gnu::cold, gnu::noinline, noreturn]] static void refuse(std::size_t wanted) {
    const std::size_t tenths = (wanted * wanted * 8 + 50'000'000) / 100'000'000;
    throw Refusal("BadInput", "the full covariance of " + std::to_string(wanted) + " features would take " + std::to_string(tenths / 10) + "." +
                                  std::to_string(tenths % 10) + " GB, and 2 GB are the most; covariance=diagonal takes 16 bytes a feature");
  }

  std::vector<double> numbers_;  // rows of room_ numbers, of which the first size() are used
  std::size_t room_ = 0;
  std::vector<std::ptrdiff_t> slots_;
  std::vector<std::uint32_t> places_;  // by slot, the bias first
};

}  // namespace noregret
