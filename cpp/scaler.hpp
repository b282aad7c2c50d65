// Online scaling: what a rule sees of a value, given what was met of its feature before. The numbers kept for
// each feature are lanes like those of the rule, so that they are saved, copied and restored with them.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lanes.hpp"
#include "numbers.hpp"
#include "refusal.hpp"

namespace noregret {

enum class Scale { none, standard, max, rms, unit };

inline Scale scale_called(const std::string& name) {
  if (name == "none") return Scale::none;
  if (name == "standard") return Scale::standard;
  if (name == "max") return Scale::max;
  if (name == "rms") return Scale::rms;
  if (name == "unit") return Scale::unit;
  throw Refusal("BadParameter", "scale is '" + name + "'; it must be none, standard, max, rms or unit");
}

// The forms are written for a number and for a vector of them (numbers.hpp). `met` is what was met of a feature so far, `rows` how
// many rows there were.

// A value can be anything before its like has been met; it counts as no more than this, so that one stray tiny value
// does not make every later row overflow.
inline auto within_reach(auto scaled) { return smaller(larger(scaled, -1e6), 1e6); }

// Less the mean, over the standard deviation, both of the values met so far (Welford 1962); 0 while they are all alike, but 1
// while they are all 1: a word or a category that is there or not never varies, and says something all the same.
struct Standard {
  static constexpr std::size_t kCount = 3;  // how many, their mean, their squared distances from it
  static void take(auto* met, auto value) {
    const auto before = value - met[1];
    met[0] += 1.0;
    met[1] += before / met[0];
    met[2] += before * (value - met[1]);
  }
  static auto scaled(const auto* met, auto value, auto) {
    const auto deviation = if_positive(met[0], root(met[2] / met[0]));
    const auto away = larger(value - 1.0, 1.0 - value) + larger(met[1] - 1.0, 1.0 - met[1]) + deviation;  // from always 1
    return if_positive(deviation, within_reach((value - met[1]) / deviation)) + (1.0 - if_positive(away, 1.0));
  }
};

// Over the largest |value| met so far; 0 while there is none.
struct Largest {
  static constexpr std::size_t kCount = 1;
  static void take(auto* met, auto value) { met[0] = larger(larger(-value, value), met[0]); }
  static auto scaled(const auto* met, auto value, auto) { return if_positive(met[0], within_reach(value / met[0])); }
};

// Over √(Σ value²/rows): a feature that is absent counts as 0, so a rare one looks large; 0 while there is none.
struct RootMeanSquare {
  static constexpr std::size_t kCount = 1;
  static void take(auto* met, auto value) { met[0] += value * value; }
  static auto scaled(const auto* met, auto value, auto rows) {
    const auto spread = root(met[0] / rows);
    return if_positive(spread, within_reach(value / spread));
  }
};

// A row given to it has no feature twice; the bias, which is always 1, stays as it is. Its place in the first lane has the number of
// rows, where the form asks for that.
class Scaler {
 public:
  using Row = SparseRow<double, std::uint32_t>;

  Scaler() = default;
  // Its numbers stand in the lanes from `first` on.
  Scaler(Scale kind, std::size_t first) : kind_(kind), first_(first) {}

  bool counts_rows() const { return kind_ == Scale::rms; }
  bool on() const { return kind_ != Scale::none; }
  Scale kind() const { return kind_; }
  std::vector<std::string> lane_names() const {
    if (kind_ == Scale::standard) return {"scale-count", "scale-mean", "scale-squares"};
    if (kind_ == Scale::max) return {"scale-largest"};
    if (kind_ == Scale::rms) return {"scale-squares"};
    return {};
  }

  // The row as it looks with what was met before.
  Row seen(const Lanes& lanes, const auto& x) { return row(lanes, x, false); }

  // The row as it looks once it has been taken in; nothing changes before keep().
  Row taken(const Lanes& lanes, const auto& x) { return row(lanes, x, true); }
  void keep(Lanes& lanes) const {
    const std::size_t count = lane_names().size();
    if (counts_rows()) lanes[first_][kBias] = rows_;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
      for (std::size_t n = 0; n < count; ++n) lanes[first_ + n][slots_[k]] = met_[count * k + n];
    }
  }

  [[noreturn]] static void refuse() {
    throw Refusal("BadInput", "this row is too large to be scaled online; scale its values down beforehand");
  }

 private:
  Row row(const Lanes& lanes, const auto& x, bool take) {
    slots_.resize(x.size);
    values_.resize(x.size);
    for (std::size_t k = 0; k < x.size; ++k) slots_[k] = static_cast<std::uint32_t>(x.slot(k));
    if (kind_ == Scale::standard) by_feature<Standard>(lanes, x, take);
    if (kind_ == Scale::max) by_feature<Largest>(lanes, x, take);
    if (kind_ == Scale::rms) by_feature<RootMeanSquare>(lanes, x, take);
    if (kind_ == Scale::unit) by_length(x);
    return {values_.data(), slots_.data(), x.size, x.bias};
  }

  template <class Form>
  void by_feature(const Lanes& lanes, const auto& x, bool take) {
    met_.resize(Form::kCount * x.size);
    rows_ = lanes[first_][kBias] + (take ? 1.0 : 0.0);
    double doubt = 0.0;
    for (std::size_t k = 0; k < x.size; ++k) {
      double* met = &met_[Form::kCount * k];
      const bool known = slots_[k] < lanes.size();
      for (std::size_t n = 0; n < Form::kCount; ++n) met[n] = known ? lanes[first_ + n][slots_[k]] : 0.0;
      if (take) Form::take(met, x.value(k));
      for (std::size_t n = 0; n < Form::kCount; ++n) doubt += met[n] * 0.0;  // NaN when it is not finite
      values_[k] = Form::scaled(met, x.value(k), rows_);
    }
    if (doubt != 0.0) refuse();
  }

  void by_length(const auto& x) {
    double square = 0.0;
    for (std::size_t k = 0; k < x.size; ++k) square += x.value(k) * x.value(k);
    if (!std::isfinite(square)) refuse();
    const double length = std::sqrt(square);
    for (std::size_t k = 0; k < x.size; ++k) values_[k] = length > 0.0 ? x.value(k) / length : 0.0;
  }

  Scale kind_ = Scale::none;
  std::size_t first_ = 0;
  double rows_ = 0.0;
  std::vector<std::uint32_t> slots_;
  std::vector<double> values_, met_;
};

}  // namespace noregret
