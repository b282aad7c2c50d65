// What the members of a group keep: for each lane and slot, a row of numbers with one for each member.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <new>
#include <vector>

#include "kernels.hpp"

namespace noregret::group {

// Whole cache lines, so that the numbers of eight members never lie across two.
template <class T>
struct ByLine {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  ByLine() = default;
  template <class U>
  ByLine(const ByLine<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
  bool operator==(const ByLine&) const = default;
};

using Aligned = std::vector<double, ByLine<double>>;

class Columns {
 public:
  Columns(std::size_t members, std::size_t lanes)
      : stride((members + kColumns - 1) / kColumns * kColumns), lanes_(lanes), pointers_(lanes) {}
  Columns(const Columns& other) : stride(other.stride), slots_(other.slots_), lanes_(other.lanes_), pointers_(other.pointers_.size()) { point(); }
  Columns& operator=(const Columns&) = delete;

  // The bias stands in front of slot 0, and behind the last one a slot that nobody writes to: that of a feature not met.
  double* const* lanes() const { return pointers_.data(); }
  double* bias(std::size_t lane) const { return pointers_[lane] - stride; }
  std::size_t size() const { return slots_; }
  std::uint32_t fresh() const { return static_cast<std::uint32_t>(slots_); }

  // Room for so many slots, and a power of two of them; `initial(lane, member)` is the value of a feature not met.
  void grow(std::size_t slots, std::size_t members, auto&& initial) {
    if (!lanes_.front().empty() && slots <= slots_) return;
    slots_ = std::bit_ceil(std::max(slots, std::size_t{16}));
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      std::size_t at = lanes_[lane].size();
      lanes_[lane].resize((slots_ + 2) * stride, 0.0);
      for (; at < lanes_[lane].size(); at += stride) {
        for (std::size_t m = 0; m < members; ++m) lanes_[lane][at + m] = initial(lane, m);
      }
    }
    point();
  }

  // Copies what a step on a row may change, and puts it back.
  void keep(Row x, bool bias, std::vector<double>& kept) const {
    kept.resize(std::max(kept.size(), (x.size + 1) * lanes_.size() * stride));
    double* to = kept.data();
    each(x, bias, [&](const double* numbers) { to = std::copy_n(numbers, stride, to); });
  }
  void put_back(Row x, bool bias, const std::vector<double>& kept) {
    const double* from = kept.data();
    each(x, bias, [&](double* numbers) {
      std::copy_n(from, stride, numbers);
      from += stride;
    });
  }

  std::size_t stride;

 private:
  // The numbers of every lane for each feature of a row, and for the bias.
  void each(Row x, bool with_bias, auto&& visit) const {
    for (std::size_t k = 0; k < x.size; ++k) {
      for (double* lane : pointers_) visit(lane + std::size_t{x.slots[k]} * stride);
    }
    for (std::size_t lane = 0; with_bias && lane < lanes_.size(); ++lane) visit(bias(lane));
  }

  void point() {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) pointers_[lane] = lanes_[lane].data() + stride;
  }

  std::size_t slots_ = 0;
  std::vector<Aligned> lanes_;
  mutable std::vector<double*> pointers_;
};

}  // namespace noregret::group

namespace noregret {
using group::Columns;
}
