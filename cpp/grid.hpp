// What a multiclass rule keeps: for each feature the numbers of all classes side by side, so that a
// feature is looked up once and its classes go through vector instructions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "names.hpp"
#include "rows.hpp"

namespace noregret {

class Grid {
 public:
  explicit Grid(std::vector<double> initial) : initial_(std::move(initial)), lanes_(initial_.size()) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) lanes_[lane].assign(stride_, initial_[lane]);
  }

  std::size_t count() const { return lanes_.size(); }
  double initial(std::size_t lane) const { return initial_[lane]; }
  std::size_t stride() const { return stride_; }  // room for so many classes: 4, 8, or a multiple of 16

  // Rows are given to features as they are met: a large number costs no more than a small one.
  std::uint32_t find(std::ptrdiff_t slot) const {
    if (slot == kBias) return 0;
    return static_cast<std::size_t>(slot) < places_.size() ? places_[static_cast<std::size_t>(slot)] : kUnknown;
  }
  std::uint32_t meet(std::ptrdiff_t slot) {
    const std::uint32_t known = find(slot);
    if (known != kUnknown) return known;
    const auto at = static_cast<std::size_t>(slot);
    if (at >= places_.size()) places_.resize(std::max(at + 1, 2 * places_.size()), kUnknown);
    for (std::size_t lane = 0; lane < count(); ++lane) lanes_[lane].resize((rows_ + 1) * stride_, initial_[lane]);
    return places_[at] = static_cast<std::uint32_t>(rows_++);
  }
  std::size_t slots() const { return places_.size(); }

  double* at(std::size_t lane, std::size_t row) { return lanes_[lane].data() + row * stride_; }
  const double* at(std::size_t lane, std::size_t row) const { return lanes_[lane].data() + row * stride_; }

  // Makes room for so many classes; those not met hold initial values.
  void widen(std::size_t classes) {
    if (classes <= stride_) return;
    const std::size_t wider = std::max(2 * stride_, (classes + 15) / 16 * 16);
    for (std::size_t lane = 0; lane < count(); ++lane) {
      std::vector<double> room(rows_ * wider, initial_[lane]);
      for (std::size_t row = 0; row < rows_; ++row) std::copy_n(at(lane, row), stride_, room.data() + row * wider);
      lanes_[lane] = std::move(room);
    }
    stride_ = wider;
  }

 private:
  std::vector<double> initial_;
  std::vector<std::vector<double>> lanes_;
  std::vector<std::uint32_t> places_;  // by slot
  std::size_t rows_ = 1, stride_ = 4;
};

// The sums ⟨w, x⟩ of all classes: for each class one accumulator, over the rows in the order given.
void add_up(const Grid& grid, const std::uint32_t* rows, const double* values, std::size_t count, double* sums);

}  // namespace noregret
