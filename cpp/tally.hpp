// What happened in a run, in a size that does not depend on its length.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace noregret {

// The area under the ROC curve from counts of scores. A score is filed under its sign, its
// exponent and the first six bits of its mantissa: scores that agree to about one per cent
// count as a tie, which is worth one half.
class Ranks {
 public:
  void add(double score, bool positive);
  double auc() const;  // NaN until both labels have been seen
  struct Bin {
    double lowest;  // the smallest score, next to 0, that is filed here
    std::uint64_t negatives, positives;
  };
  std::vector<Bin> bins() const;  // in the order of scores, the empty ones left out

 private:
  static constexpr int kMantissa = 6;
  using Block = std::array<std::uint64_t, 2u << kMantissa>;
  std::array<std::unique_ptr<Block>, 4096> blocks_;  // by sign and exponent, made when needed
};

struct CurvePoint {
  std::uint64_t round;
  std::uint64_t mistakes;
  double loss;
  double potential;
};

class Tally {
 public:
  std::uint64_t rounds = 0, unlabelled = 0, mistakes = 0, updates = 0;
  std::array<std::uint64_t, 4> outcomes{};  // true −, false +, false −, true +
  double loss = 0.0;
  double potential = 0.0;
  bool weighted = false;  // an importance weight other than 1 was used
  Ranks ranks;

  void skip(double potential_now);  // a round without a label
  void add(double score, double prediction, double label, double round_loss, bool updated,
           double weight, double potential_now);
  std::vector<CurvePoint> curve() const;

 private:
  static constexpr std::size_t kPoints = 1023;  // and the last round: 1,024
  void mark() {
    if ((rounds & (stride_ - 1)) == 0) keep_point();  // the stride is a power of two
  }
  void keep_point();

  std::vector<CurvePoint> points_;
  std::uint64_t stride_ = 1;
};

inline void Ranks::add(double score, bool positive) {
  // Adding zero makes −0 into +0; then the bits of doubles, read as integers with the negative
  // ones turned over, sort as the doubles do.
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  const std::uint64_t negative = -(bits >> 63);
  const std::uint64_t key = bits ^ (negative | (std::uint64_t{1} << 63));
  auto& block = blocks_[key >> 52];
  if (!block) block = std::make_unique<Block>();
  const std::uint64_t bin = (key >> (52 - kMantissa)) & ((1u << kMantissa) - 1);
  ++(*block)[2 * bin + (positive ? 1 : 0)];
}

inline void Tally::skip(double potential_now) {
  ++rounds;
  ++unlabelled;
  potential = potential_now;
  mark();
}

inline void Tally::add(double score, double prediction, double label, double round_loss, bool updated,
                double weight, double potential_now) {
  ++rounds;
  loss += weight * round_loss;
  updates += updated;
  weighted = weighted || weight != 1.0;
  potential = potential_now;
  mistakes += prediction != label;
  // Counted by index: nobody can foresee labels, and a wrong guess of the processor costs more
  // than the whole count.
  ++outcomes[2 * (label > 0) + (prediction > 0)];
  ranks.add(score, label > 0);
  mark();
}

}  // namespace noregret
