#include "dimension.hpp"

#include <algorithm>

namespace noregret {
namespace {

constexpr std::uint64_t kSlice = 1024;       // the first share of a question, in version spaces
constexpr std::size_t kRemembered = 8 << 20;  // entries; beyond them the memo begins anew
constexpr std::uint64_t kBetweenCalls = 256;

int log2_below(std::size_t count) { return static_cast<int>(std::bit_width(count)) - 1; }

// No more than log₂ of the rows, and no more than the points that tell them apart.
int ceiling(const Projection& space) {
  return static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(log2_below(space.rows())), space.columns()));
}

struct Split {
  std::size_t smaller;  // rows on the smaller side
  std::uint32_t column;
  bool side;  // which one that is
};

// The columns that leave at least `least` rows on both sides, the most balanced first.
std::vector<Split> splits(const Projection& space, std::size_t least) {
  std::vector<Split> found;
  for (std::size_t c = 0; c < space.columns(); ++c) {
    const std::size_t ones = count(space.column(c), space.words()), zeros = space.rows() - ones;
    if (std::min(ones, zeros) >= least) found.push_back({std::min(ones, zeros), static_cast<std::uint32_t>(c), ones <= zeros});
  }
  std::stable_sort(found.begin(), found.end(), [](const Split& a, const Split& b) { return a.smaller > b.smaller; });
  return found;
}

// Whether the rows on one side of a column have dimension 2: some other column parts them two and two.
bool two_deep(const Projection& space, std::size_t c, bool side, std::size_t size) {
  for (std::size_t k = 0; k < space.columns(); ++k) {
    const std::size_t common = count_common(space.column(c), space.column(k), space.words());
    const std::size_t ones = side ? common : count(space.column(k), space.words()) - common;
    if (ones >= 2 && size - ones >= 2) return true;
  }
  return false;
}

}  // namespace

Projection LittlestoneSearch::project(const Bits& members) const {
  Bits different = all_->distinct();
  for (std::size_t k = 0; k < different.size(); ++k) different[k] &= members[k];
  return Projection(*all_, different);
}

Bounds LittlestoneSearch::bounds(const Bits& members, std::uint64_t limit, const Progress& progress) {
  if (count(members.data(), members.size()) == 0) return {-1, -1};
  const Projection space = project(members);
  progress_ = &progress;
  Bounds now{std::min(1, ceiling(space)), ceiling(space)};
  const std::uint64_t end = limit > kNoLimit - visited_ ? kNoLimit : visited_ + limit;
  // One step up is asked for, then one step down, each with a share of the search that doubles: a
  // tree is often found at once, and depths near log₂ of the size are often refuted at once.
  for (std::uint64_t slice = kSlice; now.lower < now.upper && visited_ < end; slice *= 2) {
    for (const int depth : {now.lower + 1, now.upper}) {
      if (depth <= now.lower || depth > now.upper || visited_ >= end) continue;
      stop_ = std::min(end, visited_ + slice);
      shown_ = now;
      const Answer answer = reaches(space, depth);
      if (answer == Answer::yes) now.lower = depth;
      if (answer == Answer::no) now.upper = depth - 1;
    }
  }
  return now;
}

// Ldim ≥ depth? Counting and the memo answer first.
LittlestoneSearch::Answer LittlestoneSearch::reaches(const Projection& space, int depth) {
  if (depth > ceiling(space)) return Answer::no;
  if (depth <= 1) return Answer::yes;
  if (depth == 2) return splits(space, 2).empty() ? Answer::no : Answer::yes;
  const Fingerprint print = space.fingerprint();
  if (const auto known = memo_.find(print); known != memo_.end()) {
    if (depth <= known->second.lower) return Answer::yes;
    if (depth > known->second.upper) return Answer::no;
  }
  if (visited_ >= stop_) return Answer::unknown;
  tick();
  const Answer answer = search(space, depth);
  if (answer == Answer::unknown) return answer;
  if (memo_.size() >= kRemembered) memo_.clear();
  Bounds& known = memo_.try_emplace(print, Bounds{1, ceiling(space)}).first->second;
  if (answer == Answer::yes) known.lower = std::max(known.lower, depth);
  if (answer == Answer::no) known.upper = std::min(known.upper, depth - 1);
  return answer;
}

LittlestoneSearch::Answer LittlestoneSearch::search(const Projection& space, int depth) {
  Answer best = Answer::no;
  for (const Split& split : splits(space, std::size_t{1} << (depth - 1))) {
    if (depth == 3) {
      if (two_deep(space, split.column, split.side, split.smaller) && two_deep(space, split.column, !split.side, space.rows() - split.smaller)) return Answer::yes;
      continue;
    }
    // The smaller side is the one that is likely to fail.
    const Answer first = reaches(space.side(split.column, split.side), depth - 1);
    if (first == Answer::no) continue;
    const Answer second = reaches(space.side(split.column, !split.side), depth - 1);
    if (second == Answer::no) continue;
    if (first == Answer::yes && second == Answer::yes) return Answer::yes;
    best = Answer::unknown;
  }
  return best;
}

void LittlestoneSearch::tick() {
  if (++visited_ % kBetweenCalls == 0 && progress_ != nullptr && *progress_) (*progress_)(shown_, visited_);
}

std::vector<std::uint32_t> LittlestoneSearch::tree(const Bits& members, int depth, const Progress& progress) {
  if (depth <= 0) return {};
  std::vector<std::uint32_t> points((std::size_t{1} << depth) - 1);
  stop_ = kNoLimit;
  progress_ = &progress;
  plant(project(members), depth, 1, points);
  return points;
}

void LittlestoneSearch::plant(const Projection& space, int depth, std::size_t node, std::vector<std::uint32_t>& points) {
  for (const Split& split : splits(space, std::size_t{1} << (depth - 1))) {
    const bool label = space.turned(split.column) != split.side;  // what the rows of the smaller side say
    if (depth == 1) {
      points[node - 1] = space.point(split.column);
      return;
    }
    const Projection smaller = space.side(split.column, split.side);
    if (reaches(smaller, depth - 1) != Answer::yes) continue;
    const Projection larger = space.side(split.column, !split.side);
    if (reaches(larger, depth - 1) != Answer::yes) continue;
    points[node - 1] = space.point(split.column);
    plant(smaller, depth - 1, 2 * node + label, points);
    plant(larger, depth - 1, 2 * node + !label, points);
    return;
  }
}

}  // namespace noregret
