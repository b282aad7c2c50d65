// What happened in a run, in a size that does not depend on its length.
#pragma once

#include <array>
#include <bit>
#include <cmath>
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

// How often each class was called what, by the numbers of classes; only for so many classes.
class Confusion {
 public:
  static constexpr std::uint32_t kMost = 256;
  void add(std::uint32_t label, std::uint32_t prediction);
  std::uint64_t at(std::uint32_t label, std::uint32_t prediction) const { return counts_[label * side_ + prediction]; }
  std::uint64_t unsaid(std::uint32_t label) const { return label < unsaid_.size() ? unsaid_[label] : 0; }
  std::uint32_t side() const { return side_; }
  bool whole() const { return whole_; }  // no class was left out

 private:
  std::uint32_t side_ = 0;
  bool whole_ = true;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> unsaid_;  // by label: no class was known yet
};

// Rounds one after another, each with a label −1 or +1.
struct Rounds {
  std::size_t count;
  const double *scores, *predictions, *labels, *losses, *potentials;
  const double* weights;  // null when each is 1
  const bool* updates;
};

class Tally {
 public:
  std::uint64_t rounds = 0, unlabelled = 0, mistakes = 0, updates = 0;
  std::array<std::uint64_t, 4> outcomes{};  // true −, false +, false −, true +
  double loss = 0.0;
  double potential = 0.0;
  bool weighted = false;  // an importance weight other than 1 was used
  Ranks ranks;
  Confusion confusion;
  double squared = 0.0, absolute = 0.0;  // of predictions that are numbers: Σ(ŷ − y)² and Σ|ŷ − y|

  void skip(double potential_now);  // a round without a label
  void add(const Rounds& played);
  // Classes are told by their numbers; a prediction that is none of them is a mistake.
  void add_class(std::uint32_t prediction, std::uint32_t label, double round_loss, bool updated, double weight, double potential_now) {
    mistakes += prediction != label;
    confusion.add(label, prediction);
    add_round(round_loss, updated, weight, potential_now);
  }
  // A prediction that is a number is never a mistake: it has a loss.
  void add_number(double prediction, double label, double round_loss, bool updated, double weight, double potential_now) {
    squared += (prediction - label) * (prediction - label);
    absolute += std::abs(prediction - label);
    add_round(round_loss, updated, weight, potential_now);
  }
  std::vector<CurvePoint> curve() const;

 private:
  static constexpr std::size_t kPoints = 1023;  // and the last round: 1,024
  void mark() {
    if ((rounds & (stride_ - 1)) == 0) keep_point();  // the stride is a power of two
  }
  void keep_point();
  void add_between_points(const Rounds& played, std::size_t begin, std::size_t end);
  void add_round(double round_loss, bool updated, double weight, double potential_now) {
    ++rounds;
    loss += weight * round_loss;
    updates += updated;
    weighted = weighted || weight != 1.0;
    potential = potential_now;
    mark();
  }

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

}  // namespace noregret
