#include "tally.hpp"

#include <limits>

namespace noregret {

double Ranks::auc() const {
  double negatives = 0.0, positives = 0.0, pairs = 0.0;
  for (const auto& block : blocks_) {
    if (!block) continue;
    for (std::size_t bin = 0; bin < block->size(); bin += 2) {
      const auto below = static_cast<double>((*block)[bin]);
      const auto here = static_cast<double>((*block)[bin + 1]);
      pairs += here * (negatives + 0.5 * below);
      negatives += below;
      positives += here;
    }
  }
  const double all = negatives * positives;
  return all == 0.0 ? std::numeric_limits<double>::quiet_NaN() : pairs / all;
}

void Tally::keep_point() {
  points_.push_back({rounds, mistakes, loss, potential});
  if (points_.size() < kPoints) return;
  stride_ *= 2;
  std::vector<CurvePoint> kept;
  for (const CurvePoint& point : points_) {
    if (point.round % stride_ == 0) kept.push_back(point);
  }
  points_ = std::move(kept);
}

std::vector<CurvePoint> Tally::curve() const {
  std::vector<CurvePoint> all = points_;
  if (rounds > 0 && (all.empty() || all.back().round != rounds)) {
    all.push_back({rounds, mistakes, loss, potential});
  }
  return all;
}

}  // namespace noregret
