// The Littlestone dimension, exactly: the depth of the deepest tree that a class shatters.
#pragma once

#include <functional>
#include <unordered_map>

#include "projection.hpp"

namespace noregret {

struct Bounds {
  int lower, upper;
  bool operator==(const Bounds&) const = default;
};

// Called now and then with the bounds proven so far and the number of version spaces looked at; it
// throws to stop the search.
using Progress = std::function<void(Bounds, std::uint64_t)>;

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// Searches one class; what it finds out about a version space is kept for the next question.
class LittlestoneSearch {
 public:
  explicit LittlestoneSearch(const FiniteClass& all) : all_(&all) {}

  // The dimension of a set of hypotheses, −1 for none. Looks at no more than about `limit` version spaces.
  Bounds bounds(const Bits& members, std::uint64_t limit, const Progress& progress);
  // The points of a shattered tree of this depth: node i has children 2i (label 0) and 2i + 1, the
  // root is 1 and stands at place 0. The depth must be no more than the dimension.
  std::vector<std::uint32_t> tree(const Bits& members, int depth, const Progress& progress);

 private:
  enum class Answer { no, yes, unknown };
  struct PrintHash {
    std::size_t operator()(const Fingerprint& print) const { return print.first; }
  };

  Projection project(const Bits& members) const;
  Answer reaches(const Projection& space, int depth);
  Answer search(const Projection& space, int depth);
  void plant(const Projection& space, int depth, std::size_t node, std::vector<std::uint32_t>& points);
  void tick();

  const FiniteClass* all_;
  std::unordered_map<Fingerprint, Bounds, PrintHash> memo_;
  std::uint64_t visited_ = 0, stop_ = kNoLimit;
  Bounds shown_{0, 0};
  const Progress* progress_ = nullptr;
};

}  // namespace noregret
