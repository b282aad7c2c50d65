// Examples that are kept, oldest first, each with a coefficient: the function Σ cᵢ·K(xᵢ, ·) of a kernel learner.
#pragma once

#include <cstdint>
#include <vector>

#include "rows.hpp"

namespace noregret {

class Supports {
 public:
  std::size_t size() const { return coefficients_.size(); }
  double coefficient(std::size_t k) const { return coefficients_[k]; }
  double square(std::size_t k) const { return squares_[k]; }  // ‖xₖ‖²
  SparseRow<double, std::int64_t> row(std::size_t k) const {
    const auto begin = static_cast<std::size_t>(starts_[k]);
    return {values_.data() + begin, slots_.data() + begin, static_cast<std::size_t>(starts_[k + 1]) - begin, false};
  }

  // A row in which no feature is repeated.
  void add(double coefficient, const auto& x, double square) {
    x.each([&](std::ptrdiff_t slot, double value) {
      slots_.push_back(slot);
      values_.push_back(value + 0.0);  // −0 and 0 are the same example
    });
    starts_.push_back(static_cast<std::int64_t>(slots_.size()));
    coefficients_.push_back(coefficient);
    squares_.push_back(square);
  }

  void drop_oldest() {
    const std::int64_t gone = starts_[1];
    slots_.erase(slots_.begin(), slots_.begin() + gone);
    values_.erase(values_.begin(), values_.begin() + gone);
    starts_.erase(starts_.begin());
    for (std::int64_t& start : starts_) start -= gone;
    coefficients_.erase(coefficients_.begin());
    squares_.erase(squares_.begin());
  }

  const std::vector<std::int64_t>& starts() const { return starts_; }
  const std::vector<std::int64_t>& slots() const { return slots_; }
  const std::vector<double>& values() const { return values_; }
  const std::vector<double>& coefficients() const { return coefficients_; }

 private:
  std::vector<std::int64_t> starts_{0}, slots_;
  std::vector<double> values_, coefficients_, squares_;
};

// A row laid out by slot, repeated features added up, so that others can be multiplied with it.
class Spread {
 public:
  // Gives ‖x‖². Slots from `known` on belong to features that no kept example has.
  double lay(const auto& x, std::size_t known) {
    if (at_.size() < known + 1) {
      round_.resize(known + 1, 0);
      at_.resize(known + 1, 0.0);
    }
    ++now_;
    order_.clear();
    double square = 0.0;
    x.each([&](std::ptrdiff_t slot, double value) {
      const auto place = static_cast<std::size_t>(slot - kBias);
      if (place > known) {
        order_.push_back(kElsewhere);
        strange_.push_back(value);
      } else if (round_[place] == now_) {
        at_[place] += value;
      } else {
        round_[place] = now_;
        at_[place] = value;
        order_.push_back(place);
      }
    });
    std::size_t next = 0;
    for (const std::size_t place : order_) {
      const double value = place == kElsewhere ? strange_[next++] : at_[place];
      square += value * value;
    }
    strange_.clear();
    return square;
  }

  // ⟨z, x⟩, in the order of z.
  double times(const auto& z) const {
    double sum = 0.0;
    z.each([&](std::ptrdiff_t slot, double value) {
      const auto place = static_cast<std::size_t>(slot - kBias);
      sum += value * (round_[place] == now_ ? at_[place] : 0.0);
    });
    return sum;
  }

 private:
  static constexpr std::size_t kElsewhere = ~std::size_t{0};
  std::vector<double> at_, strange_;
  std::vector<std::uint64_t> round_;
  std::vector<std::size_t> order_;
  std::uint64_t now_ = 0;
};

}  // namespace noregret
