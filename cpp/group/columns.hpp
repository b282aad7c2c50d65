// What the members of a group keep: for each slot and lane, a row of numbers with one for each member.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "../memory.hpp"
#include "../rows.hpp"
#include "kernels.hpp"

namespace noregret::group {

class Columns {
 public:
  Columns(std::size_t members, std::size_t lanes) : stride((members + kColumns - 1) / kColumns * kColumns), lanes_(lanes) {}

  // The numbers of a slot, lane after lane. The bias stands in front of slot 0, and behind the last one a slot that nobody
  // writes to: that of a feature not met.
  double* operator[](std::ptrdiff_t slot) { return numbers_.data() + place(slot); }
  const double* operator[](std::ptrdiff_t slot) const { return numbers_.data() + place(slot); }
  std::size_t size() const { return slots_; }
  std::uint32_t fresh() const { return static_cast<std::uint32_t>(slots_); }

  // Room for so many slots, and a power of two of them; `initial(lane, member)` is the value of a feature not met.
  void grow(std::size_t slots, std::size_t members, auto&& initial) {
    if (!numbers_.empty() && slots <= slots_) return;
    const std::size_t room = std::bit_ceil(std::max(slots, std::size_t{16}));
    std::size_t at = numbers_.size();
    numbers_.resize((room + 2) * lanes_ * stride, 0.0);
    slots_ = room;
    while (at < numbers_.size()) {
      for (std::size_t lane = 0; lane < lanes_; ++lane, at += stride) {
        for (std::size_t m = 0; m < members; ++m) numbers_[at + m] = initial(lane, m);
      }
    }
  }

  // Copies what a step on a row may change, and puts it back.
  void keep(Row x, bool bias, std::vector<double>& kept) const {
    kept.resize(std::max(kept.size(), (x.size + 1) * lanes_ * stride));
    double* to = kept.data();
    each(x, bias, [&](std::ptrdiff_t slot) { to = std::copy_n((*this)[slot], lanes_ * stride, to); });
  }
  void put_back(Row x, bool bias, const std::vector<double>& kept) {
    const double* from = kept.data();
    each(x, bias, [&](std::ptrdiff_t slot) {
      std::copy_n(from, lanes_ * stride, (*this)[slot]);
      from += lanes_ * stride;
    });
  }

  const std::size_t stride;

 private:
  std::size_t place(std::ptrdiff_t slot) const { return static_cast<std::size_t>(slot - kBias) * lanes_ * stride; }

  static void each(Row x, bool bias, auto&& visit) {
    for (std::size_t k = 0; k < x.size; ++k) visit(static_cast<std::ptrdiff_t>(x.slots[k]));
    if (bias) visit(kBias);
  }

  std::size_t slots_ = 0, lanes_;
  std::vector<double, Spacious<double>> numbers_;
};

}  // namespace noregret::group

namespace noregret {
using group::Columns;
}
