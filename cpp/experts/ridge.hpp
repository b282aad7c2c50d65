// Linear aggregation: says x̄ + ⟨v,x⟩, x̄ the mean of the advice, where v minimises λ‖v‖² + Σ(x̄ + ⟨v,x⟩ − y)² + ⟨v,x_t⟩²
// over the earlier rounds and the advice of this one. Kept as a triangle R with RᵀR = λI + Σxxᵀ, turned by plane
// rotations, which lose no digits.
//                                                                 Vovk 2001; Azoury & Warmuth 2001
#pragma once

#include <algorithm>

#include "rule.hpp"

namespace noregret::experts {

class Ridge : public Cloned<Ridge> {
 public:
  Ridge(std::size_t n, const Numbers& given) : Cloned(n), penalty_(given.at("penalty")), triangle_(n * n, 0.0), target_(total.size(), 0.0) {
    for (std::size_t i = 0; i < n; ++i) triangle_[i * n + i] = std::sqrt(penalty_);
  }

  bool wants_advice() const override { return true; }

  void weigh(const double* row, double* w) const override {
    std::vector<double> triangle = triangle_, target(target_.begin(), target_.begin() + static_cast<std::ptrdiff_t>(n));
    if (row != nullptr) {
      std::vector<double> x = completed(row);
      rotate(triangle, target, x, 0.0);
    }
    for (std::size_t i = n; i-- > 0;) {
      double rest = target[i];
      for (std::size_t j = i + 1; j < n; ++j) rest -= triangle[i * n + j] * w[j];
      w[i] = rest / triangle[i * n + i];
    }
    for (std::size_t i = 0; i < n; ++i) w[i] += 1.0 / static_cast<double>(n);
  }

  double predict(const double* said, const double* w, const Loss&) const override {
    const std::vector<double> x = completed(said);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += w[i] * x[i];
    return sum;
  }

  double own(const double*, const double*) const override {
    return (now_->prediction - now_->truth) * (now_->prediction - now_->truth);
  }

  void learn(const double* row, double suffers) override {
    charge(row, suffers);
    std::vector<double> x = completed(now_->said);
    const std::vector<double> said = x;
    const double beyond = now_->truth - mean(said), residual = rotate(triangle_, target_, x, beyond);
    least_ += residual * residual;
    reach_ = std::max(reach_, std::abs(beyond));
    leverage_ += leverage(said);
  }

  std::vector<Lane> lanes() override { return {{"loss", &total, loss}, {"triangle", &triangle_, 0.0, n * n}, {"target", &target_, 0.0}}; }
  std::vector<Scalar> scalars() override {
    auto all = Rule::scalars();
    for (Scalar s : {Scalar{"least", &least_}, {"reach", &reach_}, {"leverage", &leverage_}}) all.push_back(s);
    return all;
  }
  void grow(std::size_t count) override {
    const std::size_t old = n;
    std::vector<double> triangle((n + count) * (n + count), 0.0);
    for (std::size_t i = 0; i < n + count; ++i) triangle[i * (n + count) + i] = i < old ? 0.0 : std::sqrt(penalty_);
    for (std::size_t i = 0; i < old; ++i) {
      for (std::size_t j = i; j < old; ++j) triangle[i * (n + count) + j] = triangle_[i * old + j];
    }
    Cloned::grow(count);
    triangle_ = std::move(triangle);
  }

 private:
  // A sleeper says what those awake say on average.
  std::vector<double> completed(const double* said) const {
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!awake(said, i)) continue;
      sum += said[i];
      count += 1.0;
    }
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = awake(said, i) ? said[i] : sum / count;
    return x;
  }

  double mean(const std::vector<double>& x) const {
    double sum = 0.0;
    for (double said : x) sum += said;
    return sum / static_cast<double>(n);
  }

  // Turns the row (x, y) into the triangle; returns what is left of y.
  double rotate(std::vector<double>& triangle, std::vector<double>& target, std::vector<double>& x, double y) const {
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] == 0.0) continue;
      const double diagonal = triangle[i * n + i], length = std::sqrt(diagonal * diagonal + x[i] * x[i]);
      const double cosine = diagonal / length, sine = x[i] / length;
      for (std::size_t j = i; j < n; ++j) {
        const double above = triangle[i * n + j], below = x[j];
        triangle[i * n + j] = cosine * above + sine * below;
        x[j] = cosine * below - sine * above;
      }
      const double above = target[i];
      target[i] = cosine * above + sine * y;
      y = cosine * y - sine * above;
    }
    return y;
  }

  // xᵀ(RᵀR)⁻¹x
  double leverage(const std::vector<double>& x) const {
    std::vector<double> v(n);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double rest = x[i];
      for (std::size_t j = 0; j < i; ++j) rest -= triangle_[j * n + i] * v[j];
      v[i] = rest / triangle_[i * n + i];
      sum += v[i] * v[i];
    }
    return sum;
  }

  double penalty_;
  std::vector<double> triangle_, target_;
  double least_ = 0.0;     // min over v of λ‖v‖² + Σ(x̄ + ⟨v,x⟩ − y)²
  double reach_ = 0.0;     // the largest |y − x̄|
  double leverage_ = 0.0;  // Σ xᵀA⁻¹x
};

}  // namespace noregret::experts
