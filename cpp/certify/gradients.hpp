// Sums over the gradients of every feature, for the bounds of learners with a rate for each feature. Columns are those of the cells;
// room for new ones is made as they come.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../rules/ftrl.hpp"
#include "cells.hpp"

namespace noregret::certify {

// What every feature keeps. `pull` is −g: the label times the slope of the loss, times the value.
struct FeatureSums {
  double squares = 0.0;  // Σg²
  double sizes = 0.0;    // Σ|g|
  double low = 0.0, high = 0.0;  // of its weight under AdaGrad by descent
  double first = 0.0, second = 0.0, ahead = 0.0;  // under FTRL: Σσw, Σσw², Σg²/(2h)
  double weight = 0.0;
  std::array<double, 3> at{};  // the lanes of FTRL
};

enum class GradientRule { plain, descent, proximal };

class GradientSums {
 public:
  GradientSums(GradientRule rule, std::array<double, 4> parameters) : rule_(rule), parameters_(parameters) {}

  // Adds the rows, each with the factor (label × slope) that its values are multiplied by.
  void add(const CellRows& x, const double* factors, std::size_t columns, bool bias) {
    if (sums_.size() < columns) sums_.resize(columns);
    for (std::size_t r = 0; r < x.rows; ++r) {
      if (factors[r] == 0.0) continue;
      for (std::size_t k = x.begin(r); k < x.end(r); ++k) take(sums_[static_cast<std::size_t>(x.columns[k])], factors[r] * x.values[k]);
      if (bias) take(bias_, factors[r]);
    }
  }

  const std::vector<FeatureSums>& sums() const { return sums_; }
  const FeatureSums& bias() const { return bias_; }
  double largest() const { return largest_; }

 private:
  void take(FeatureSums& of, double pull) {
    const double size = std::fabs(pull);
    of.sizes += size;
    largest_ = size > largest_ ? size : largest_;
    if (rule_ == GradientRule::proximal) return follow(of, pull);
    of.squares += pull * pull;
    if (rule_ != GradientRule::descent) return;
    const auto [rate, delta, unused, unused_too] = parameters_;
    of.weight += rate * (pull / (delta + std::sqrt(of.squares)));
    of.low = of.weight < of.low ? of.weight : of.low;
    of.high = of.weight > of.high ? of.weight : of.high;
  }

  void follow(FeatureSums& of, double pull) {
    const auto [alpha, beta, l1, l2] = parameters_;
    const double weight = of.at[0], before = std::sqrt(of.at[2]);
    Ftrl::apply(of.at, 1.0, std::array{pull, alpha, beta, l1, l2});
    const double after = std::sqrt(of.at[2]), sigma = (after - before) / alpha;
    of.first += sigma * weight;
    of.second += sigma * weight * weight;
    of.ahead += pull * pull / (2.0 * (l2 + (beta + after) / alpha));
    of.squares += pull * pull;
  }

  GradientRule rule_;
  std::array<double, 4> parameters_;
  std::vector<FeatureSums> sums_;
  FeatureSums bias_;
  double largest_ = 0.0;
};

}  // namespace noregret::certify
