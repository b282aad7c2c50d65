#include "dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace noregret::certify {
namespace {

// Order of the rows of an epoch: the same for the same seed on every machine.
class Shuffle {
 public:
  explicit Shuffle(std::uint64_t seed) : state_(seed * 2 + 1) {}
  void operator()(std::vector<std::uint32_t>& order, std::size_t count) {
    for (std::size_t k = count; k > 1; --k) std::swap(order[k - 1], order[next() % k]);
  }

 private:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }
  std::uint64_t state_;
};

double times(const CellRows& x, std::size_t r, const double* u) {
  double sum = 0.0;
  for (std::size_t k = x.begin(r); k < x.end(r); ++k) sum += x.values[k] * u[x.columns[k]];
  return sum;
}

}  // namespace

std::size_t descend(const DualProblem& p, double* alpha, double* u, std::size_t width, std::size_t epochs, double tolerance, std::uint64_t seed) {
  const std::size_t rows = p.rows.rows;
  double* bias = u + width;  // behind the features, where there is one
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  Shuffle shuffle(seed);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::size_t active = rows, epoch = 0;
  double highest = kFar, lowest = -kFar;  // of the epoch before: beyond them a row at its limit is set aside
  for (; epoch < epochs && rows > 0; ++epoch) {
    double most = -kFar, least = kFar;
    shuffle(order, active);
    for (std::size_t at = 0; at < active;) {
      const std::size_t r = order[at];
      const double bend = p.squares[r] + p.diagonal;
      const double slope = bend > 0.0 ? p.labels[r] * (times(p.rows, r, u) + (p.bias ? *bias : 0.0)) - 1.0 + p.diagonal * alpha[r] : 0.0;
      double violation = slope;
      if (alpha[r] == 0.0) {
        if (slope > highest) {
          std::swap(order[at], order[--active]);
          continue;
        }
        violation = std::min(slope, 0.0);
      } else if (alpha[r] == p.limit) {
        if (slope < lowest) {
          std::swap(order[at], order[--active]);
          continue;
        }
        violation = std::max(slope, 0.0);
      }
      most = std::max(most, violation);
      least = std::min(least, violation);
      if (violation != 0.0) {
        const double before = alpha[r];
        alpha[r] = std::min(std::max(before - slope / bend, 0.0), p.limit);
        const double step = (alpha[r] - before) * p.labels[r];
        for (std::size_t k = p.rows.begin(r); k < p.rows.end(r); ++k) u[p.rows.columns[k]] += step * p.rows.values[k];
        if (p.bias) *bias += step;
      }
      ++at;
    }
    if (most - least <= tolerance) {
      if (active == rows) return epoch + 1;
      active = rows;  // all rows are looked at once more
      highest = kFar;
      lowest = -kFar;
      continue;
    }
    highest = most > 0.0 ? most : kFar;
    lowest = least < 0.0 ? least : -kFar;
  }
  return epoch;
}

void descend_mixture(const MixtureProblem& p, std::size_t width, std::size_t epochs, std::uint64_t seed, double* snapshots) {
  const std::size_t size = width + (p.bias ? 1 : 0);
  const double weight = 1.0 / static_cast<double>(p.is_signed ? 2 * size : size);
  std::vector<double> up(size, weight), down(p.is_signed ? size : 0, weight);  // up to a common factor, whose inverse is `total`
  double total = 1.0;
  std::vector<std::uint32_t> order(p.rows.rows);
  std::iota(order.begin(), order.end(), 0u);
  Shuffle shuffle(seed);
  const auto each = [&](std::size_t r, auto&& visit) {
    for (std::size_t k = p.rows.begin(r); k < p.rows.end(r); ++k) visit(static_cast<std::size_t>(p.rows.columns[k]), p.rows.values[k]);
    if (p.bias) visit(width, 1.0);
  };
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    shuffle(order, order.size());
    const double rate = p.rate / std::sqrt(static_cast<double>(epoch + 1));
    for (const std::uint32_t r : order) {
      double score = 0.0;
      each(r, [&](std::size_t i, double value) { score += (up[i] - (p.is_signed ? down[i] : 0.0)) * value; });
      if (p.labels[r] * score >= p.margin * total) continue;
      double change = 0.0;
      each(r, [&](std::size_t i, double value) {
        const double factor = std::exp(rate * p.labels[r] * value);
        change += up[i] * (factor - 1.0);
        up[i] *= factor;
        if (p.is_signed) {
          change += down[i] * (1.0 / factor - 1.0);
          down[i] /= factor;
        }
      });
      total += change;
    }
    // The running total has rounding errors: it is added up anew, and the numbers brought back to it.
    total = std::accumulate(up.begin(), up.end(), std::accumulate(down.begin(), down.end(), 0.0));
    if (!(total > 0.0) || !std::isfinite(total)) {
      for (std::size_t k = epoch; k < epochs; ++k) std::fill_n(snapshots + k * size, size, 0.0);
      return;
    }
    for (double& one : up) one /= total;
    for (double& one : down) one /= total;
    total = 1.0;
    for (std::size_t i = 0; i < size; ++i) snapshots[epoch * size + i] = up[i] - (p.is_signed ? down[i] : 0.0);
  }
}

}  // namespace noregret::certify
