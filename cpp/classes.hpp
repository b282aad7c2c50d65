// Classes: whole numbers or words. The n-th class met gets number n; numbers sort before words.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "names.hpp"

namespace noregret {

using ClassLabel = std::variant<double, std::string>;

std::string shown(const ClassLabel& label);
// Refuses a number that is no class: one with a fraction, or that is not finite.
void require_class(const ClassLabel& label);

class Classes {
 public:
  // Beyond this the labels are surely not classes.
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  std::size_t size() const { return labels_.size(); }
  const ClassLabel& at(std::size_t number) const { return labels_[number]; }
  std::uint32_t find(const ClassLabel& label) const;  // kUnknown when it has not joined
  std::uint32_t add(const ClassLabel& label);         // its number, old or new
  void forget_last();
  // Where a class stands when they are sorted: a tie goes to the smallest.
  std::uint32_t rank(std::size_t number) const { return ranks_[number]; }
  std::vector<std::uint32_t> sorted() const;  // their numbers in that order

 private:
  void sort();

  std::vector<ClassLabel> labels_;
  std::map<ClassLabel, std::uint32_t> numbers_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace noregret
