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

std::vector<Ranks::Bin> Ranks::bins() const {
  std::vector<Bin> found;
  for (std::size_t at = 0; at < blocks_.size(); ++at) {
    if (!blocks_[at]) continue;
    for (std::uint64_t bin = 0; bin < blocks_[at]->size() / 2; ++bin) {
      const std::uint64_t below = (*blocks_[at])[2 * bin], above = (*blocks_[at])[2 * bin + 1];
      if (below + above == 0) continue;
      const std::uint64_t key = (static_cast<std::uint64_t>(at) << 52) | (bin << (52 - kMantissa));
      const bool positive = key >> 63;
      // Of negative scores the key is turned over, so the end of the bin next to 0 is its last key.
      const std::uint64_t last = key | ((std::uint64_t{1} << (52 - kMantissa)) - 1);
      found.push_back({std::bit_cast<double>(positive ? key ^ (std::uint64_t{1} << 63) : ~last), below, above});
    }
  }
  return found;
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
