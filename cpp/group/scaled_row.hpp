// A row scaled online, in both of its looks at once: with what was met before, and once it has been taken in.
#pragma once

#include "../scaler.hpp"
#include "columns.hpp"
#include "kernels.hpp"

namespace noregret::group {

class ScaledRow {
 public:
  // Null for what is not done feature by feature.
  static Scale form(const Kernels& kernels, noregret::Scale kind) {
    if (kind == noregret::Scale::standard) return kernels.standard;
    if (kind == noregret::Scale::max) return kernels.largest;
    if (kind == noregret::Scale::rms) return kernels.root_mean_square;
    return nullptr;
  }

  // The slots have their places in the statistics, which begin with lane 1; these do not change before keep().
  void take(Scale form, const Lanes& statistics, Row x) {
    x_ = x;
    count_ = statistics.count() - 1;
    room_ = (x.size + kColumns - 1) / kColumns * kColumns;
    values_.assign(room_, 0.0);
    seen_.resize(room_);
    taken_.resize(room_);
    met_.assign(room_ * count_, 0.0);
    std::copy_n(x.values, x.size, values_.data());
    for (std::size_t n = 0; n < count_; ++n) {
      const double* lane = statistics[1 + n];
      for (std::size_t k = 0; k < x.size; ++k) met_[n * room_ + k] = lane[x.slots[k]];
    }
    rows_ = statistics[1][kBias];
    doubt_ = form({met_.data(), values_.data(), seen_.data(), taken_.data(), room_, rows_});
  }

  Row seen() const { return {x_.slots, seen_.data(), x_.size}; }
  Row taken() const {
    if (doubt_ != 0.0) Scaler::refuse();
    return {x_.slots, taken_.data(), x_.size};
  }

  void keep(Lanes& statistics, bool counts_rows) const {
    if (counts_rows) statistics[1][kBias] = rows_ + 1.0;
    for (std::size_t n = 0; n < count_; ++n) {
      double* lane = statistics[1 + n];
      for (std::size_t k = 0; k < x_.size; ++k) lane[x_.slots[k]] = met_[n * room_ + k];
    }
  }

 private:
  Row x_{};
  std::size_t count_ = 0, room_ = 0;
  double rows_ = 0.0, doubt_ = 0.0;
  std::vector<double, Spacious<double>> values_, seen_, taken_, met_;
};

}  // namespace noregret::group
