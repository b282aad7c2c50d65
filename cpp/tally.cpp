#include "tally.hpp"

#include <algorithm>

#include <limits>

#include "names.hpp"

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

void Confusion::add(std::uint32_t label, std::uint32_t prediction) {
  if (label >= kMost || (prediction >= kMost && prediction != kUnknown)) {
    whole_ = false;
    return;
  }
  const std::uint32_t highest = prediction == kUnknown ? label : std::max(label, prediction);
  if (highest >= side_) {
    const std::uint32_t side = std::min(kMost, std::max(2 * side_, highest + 1));
    std::vector<std::uint64_t> wider(std::size_t{side} * side);
    for (std::uint32_t row = 0; row < side_; ++row) std::copy_n(counts_.begin() + row * side_, side_, wider.begin() + row * side);
    counts_ = std::move(wider);
    side_ = side;
  }
  if (prediction != kUnknown) {
    ++counts_[label * side_ + prediction];
    return;
  }
  if (label >= unsaid_.size()) unsaid_.resize(label + 1);
  ++unsaid_[label];
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

namespace {

// Numbers are compared by their bits, in steps that a processor takes for several of them at once. −0 counts as 0.
std::uint64_t bits_of(double number) { return std::bit_cast<std::uint64_t>(number + 0.0); }
std::uint64_t is_positive(std::uint64_t bits) { return ((bits - 1) >> 63) ^ 1; }
std::uint64_t differ(std::uint64_t a, std::uint64_t b) { return ((a ^ b) | (0 - (a ^ b))) >> 63; }

}  // namespace

void Tally::add(const Rounds& played) {
  for (std::size_t begin = 0; begin < played.count;) {
    const std::size_t end = std::min<std::size_t>(played.count, begin + stride_ - (rounds & (stride_ - 1)));
    add_between_points(played, begin, end);
    mark();
    begin = end;
  }
}

// One thing after another, each in a register: counted round by round, every sum would wait for its own way through memory.
void Tally::add_between_points(const Rounds& played, std::size_t begin, std::size_t end) {
  std::uint64_t wrong = 0, called = 0, positive = 0, both = 0, changed = 0;
  for (std::size_t k = begin; k < end; ++k) {
    const std::uint64_t says = bits_of(played.predictions[k]), is = bits_of(played.labels[k]);
    wrong += differ(says, is);
    called += is_positive(says);
    positive += is_positive(is);
    both += is_positive(says) & is_positive(is);
  }
  for (std::size_t k = begin; k < end; ++k) changed += played.updates[k];
  mistakes += wrong;
  updates += changed;
  outcomes[0] += (end - begin) - called - positive + both;
  outcomes[1] += called - both;
  outcomes[2] += positive - both;
  outcomes[3] += both;
  double sum = loss;
  for (std::size_t k = begin; k < end; ++k) {
    const double weight = played.weights ? played.weights[k] : 1.0;
    sum += weight * played.losses[k];
    weighted = weighted || weight != 1.0;
    ranks.add(played.scores[k], played.labels[k] > 0);  // while the sum waits for itself
  }
  loss = sum;
  rounds += end - begin;
  potential = played.potentials[end - 1];
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
