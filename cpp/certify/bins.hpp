// Margins by their size, in bins 3 % wide: with the count, the sum and the sum of squares of each bin, Σ max(0, γ − m) and
// Σ max(0, γ − m)² are known exactly at every edge γ of a bin, and convex functions of m lie below their chords.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace noregret::certify {

struct Bin {
  double count = 0.0, sum = 0.0, square = 0.0;  // Σw, Σw·m, Σw·m²
};

class Bins {
 public:
  static constexpr int kMantissa = 5;
  static constexpr std::size_t kSide = std::size_t{1} << kMantissa;

  void add(double margin, double weight) {
    const std::uint64_t key = key_of(margin);
    auto& block = blocks_[key >> 52];
    if (!block) block = std::make_unique<Block>();
    Bin& bin = (*block)[(key >> (52 - kMantissa)) & (kSide - 1)];
    bin.count += weight;
    bin.sum += weight * margin;
    bin.square += weight * margin * margin;
    least_ = margin < least_ ? margin : least_;
    most_ = margin > most_ ? margin : most_;
    whole_ = whole_ && std::floor(margin) == margin && weight == 1.0;
    ++rounds_;
    wrong_ += margin <= 0.0;
  }

  double least() const { return least_; }  // +∞ without rounds
  double most() const { return most_; }
  bool whole() const { return whole_; }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t wrong() const { return wrong_; }

  // The bins that are not empty, from the least margin to the largest: visit(lowest, next, bin), margins from lowest to below next.
  void each(auto&& visit) const {
    for (std::size_t top = 0; top < blocks_.size(); ++top) {
      if (!blocks_[top]) continue;
      for (std::size_t k = 0; k < kSide; ++k) {
        const Bin& bin = (*blocks_[top])[k];
        if (bin.count == 0.0) continue;
        const std::uint64_t key = (static_cast<std::uint64_t>(top) << 52) | (static_cast<std::uint64_t>(k) << (52 - kMantissa));
        visit(number_of(key), number_of(key + (std::uint64_t{1} << (52 - kMantissa))), bin);
      }
    }
  }

 private:
  using Block = std::array<Bin, kSide>;
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

  // Adding zero makes −0 into +0; the bits of doubles, read as integers with the negative ones inverted, sort as the doubles do.
  static std::uint64_t key_of(double margin) {
    const auto bits = std::bit_cast<std::uint64_t>(margin + 0.0);
    return bits ^ (-(bits >> 63) | kSign);
  }
  static double number_of(std::uint64_t key) {
    return std::bit_cast<double>((key & kSign) != 0 ? key ^ kSign : ~key);
  }

  std::array<std::unique_ptr<Block>, 4096> blocks_;  // by sign and exponent, made when needed
  double least_ = std::numeric_limits<double>::infinity(), most_ = -std::numeric_limits<double>::infinity();
  std::uint64_t rounds_ = 0, wrong_ = 0;
  bool whole_ = true;
};

}  // namespace noregret::certify
