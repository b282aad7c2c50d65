#include "classes.hpp"

#include <cmath>
#include <iterator>

#include "refusal.hpp"
#include "require.hpp"

namespace noregret {

std::string shown(const ClassLabel& label) {
  const auto* number = std::get_if<double>(&label);
  return number != nullptr ? shown(*number) : "'" + std::get<std::string>(label) + "'";
}

void require_class(const ClassLabel& label) {
  const auto* number = std::get_if<double>(&label);
  if (number == nullptr || (std::trunc(*number) == *number && std::abs(*number) < 9007199254740992.0)) return;
  throw Refusal("BadLabel", "the label is " + shown(*number) + "; a class is a whole number below 2^53 or a word (numbers are predicted by widrow-hoff, pa-regression or ridge)");
}

std::uint32_t Classes::find(const ClassLabel& label) const {
  const auto found = numbers_.find(label);
  return found == numbers_.end() ? kUnknown : found->second;
}

std::uint32_t Classes::add(const ClassLabel& label) {
  const std::uint32_t known = find(label);
  if (known != kUnknown) return known;
  require_class(label);
  if (size() == kMost) {
    throw Refusal("BadLabel", "there are more than " + std::to_string(kMost) + " classes; if the labels are numbers to be predicted, take a regression learner such as widrow-hoff");
  }
  const auto number = static_cast<std::uint32_t>(size());
  labels_.push_back(label);
  const auto place = numbers_.emplace(label, number).first;
  // Many classes that join in their order need no sorting: each stands behind all before it.
  if (std::next(place) == numbers_.end()) {
    ranks_.push_back(number);
  } else {
    sort();
  }
  return number;
}

void Classes::forget_last() {
  numbers_.erase(labels_.back());
  labels_.pop_back();
  sort();
}

std::vector<std::uint32_t> Classes::sorted() const {
  std::vector<std::uint32_t> order;
  for (const auto& [label, number] : numbers_) order.push_back(number);
  return order;
}

void Classes::sort() {
  ranks_.resize(size());
  std::uint32_t rank = 0;
  for (const auto& [label, number] : numbers_) ranks_[number] = rank++;
}

}  // namespace noregret
