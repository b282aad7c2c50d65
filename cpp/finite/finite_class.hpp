// A finite class: for every point, the set of hypotheses that say 1 there.
#pragma once

#include <memory>
#include <mutex>

#include "bits.hpp"

namespace noregret {

class FiniteClass {
 public:
  // `packed` holds the columns one after the other, each of words_for(hypotheses) words.
  FiniteClass(const std::uint8_t* packed, std::size_t hypotheses, std::size_t points);

  std::size_t hypotheses() const { return hypotheses_; }
  std::size_t points() const { return points_; }
  std::size_t words() const { return words_; }
  const Word* column(std::size_t point) const { return columns_.data() + point * words_; }
  bool says(std::size_t hypothesis, std::size_t point) const { return test(column(point), hypothesis); }

  // The first of each family of equal hypotheses; found when first asked for, by whichever thread.
  const Bits& distinct() const;

 private:
  Bits find_distinct() const;
  bool same(std::size_t a, std::size_t b) const;

  std::size_t hypotheses_, points_, words_;
  Bits columns_;
  struct Lazy {
    std::once_flag once;
    Bits bits;
  };
  std::unique_ptr<Lazy> distinct_ = std::make_unique<Lazy>();
};

// The hypotheses that agree with everything that was revealed.
class VersionSpace {
 public:
  explicit VersionSpace(const FiniteClass& all);

  std::size_t size() const { return size_; }
  const Bits& bits() const { return bits_; }
  std::size_t ones(std::size_t point) const { return count_common(bits_.data(), all_->column(point), bits_.size()); }
  // The hypothesis of this rank, counted from 0 in the order of the class.
  std::size_t member(std::size_t rank) const;
  // Keeps the hypotheses that say `label` at `point`; how many went.
  std::size_t restrict_to(std::size_t point, bool label);
  const FiniteClass& all() const { return *all_; }

 private:
  const FiniteClass* all_;
  Bits bits_;
  std::size_t size_;
};

}  // namespace noregret
