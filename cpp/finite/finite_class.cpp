#include "finite_class.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace noregret {

FiniteClass::FiniteClass(const std::uint8_t* packed, std::size_t hypotheses, std::size_t points)
    : hypotheses_(hypotheses), points_(points), words_(words_for(hypotheses)), columns_(words_ * points) {
  if (!columns_.empty()) std::memcpy(columns_.data(), packed, columns_.size() * sizeof(Word));
  for (std::size_t x = 0; x < points; ++x) columns_[x * words_ + words_ - 1] &= tail_mask(hypotheses);
}

bool FiniteClass::same(std::size_t a, std::size_t b) const {
  for (std::size_t x = 0; x < points_; ++x) {
    if (says(a, x) != says(b, x)) return false;
  }
  return true;
}

const Bits& FiniteClass::distinct() const {
  std::call_once(distinct_->once, [this] { distinct_->bits = find_distinct(); });
  return distinct_->bits;
}

Bits FiniteClass::find_distinct() const {
  std::vector<Word> print(hypotheses_, 0);
  Word salt = 0x9e3779b97f4a7c15u;
  for (std::size_t x = 0; x < points_; ++x) {
    salt = (salt ^ (salt >> 29)) * 0xbf58476d1ce4e5b9u + 0x9e3779b97f4a7c15u;
    for (std::size_t k = 0; k < words_; ++k) {
      for (Word left = column(x)[k]; left != 0; left &= left - 1) print[k * 64 + static_cast<std::size_t>(std::countr_zero(left))] += salt;
    }
  }
  std::vector<std::size_t> order(hypotheses_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return print[a] < print[b]; });
  Bits found(words_, 0);
  // Equal hypotheses have equal prints; equal prints are compared bit by bit with those kept.
  for (std::size_t begin = 0, end = 0; begin < hypotheses_; begin = end) {
    std::vector<std::size_t> kept;
    for (end = begin; end < hypotheses_ && print[order[end]] == print[order[begin]]; ++end) {
      const std::size_t h = order[end];
      if (std::any_of(kept.begin(), kept.end(), [&](std::size_t other) { return same(h, other); })) continue;
      kept.push_back(h);
      found[h / 64] |= Word{1} << (h % 64);
    }
  }
  return found;
}

VersionSpace::VersionSpace(const FiniteClass& all)
    : all_(&all), bits_(all.words(), ~Word{0}), size_(all.hypotheses()) {
  bits_.back() &= tail_mask(size_);
}

std::size_t VersionSpace::member(std::size_t rank) const {
  std::size_t k = 0;
  for (std::size_t here; rank >= (here = ones_of(bits_[k])); ++k) rank -= here;
  Word left = bits_[k];
  for (; rank > 0; --rank) left &= left - 1;
  return k * 64 + static_cast<std::size_t>(std::countr_zero(left));
}

std::size_t VersionSpace::restrict_to(std::size_t point, bool label) {
  const Word* column = all_->column(point);
  for (std::size_t k = 0; k < bits_.size(); ++k) bits_[k] &= label ? column[k] : ~column[k];
  const std::size_t before = size_;
  size_ = count(bits_.data(), bits_.size());
  return before - size_;
}

}  // namespace noregret
