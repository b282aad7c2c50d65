#include "vc.hpp"

#include <algorithm>
#include <numeric>

namespace noregret {
namespace {

constexpr std::uint64_t kBetweenCalls = 4096;

// The rows, parted into cells by the points chosen so far, and what the candidates say there. A cell
// begins at a word of its own, and a mask says which bits of its words are rows of it. Smaller cells
// come first, because they are the ones that most candidates fail to split.
struct Cell {
  std::size_t size, words;
};

struct Cells {
  std::vector<Cell> cells;
  Bits mask;
  std::vector<std::uint32_t> columns;
  Bits bits;  // column after column, 0 outside the mask

  const Word* column(std::size_t k) const { return bits.data() + k * mask.size(); }
};

// One half of a cell.
struct Half {
  Cell cell, old;
  std::size_t begin;  // of the old cell's words
  Word turn;          // all ones where the rows that say 0 are meant
};

// The halves of every cell, the smallest first. Rows are moved together where that saves words.
std::vector<Half> halves(const Cells& from, const Word* by) {
  std::vector<Half> found;
  std::size_t begin = 0;
  for (const Cell& cell : from.cells) {
    const std::size_t ones = count(by + begin, cell.words), zeros = cell.size - ones;
    found.push_back({{ones, words_for(ones)}, cell, begin, 0});
    found.push_back({{zeros, words_for(zeros)}, cell, begin, ~Word{0}});
    begin += cell.words;
  }
  std::stable_sort(found.begin(), found.end(), [](const Half& a, const Half& b) { return a.cell.size < b.cell.size; });
  return found;
}

// Adds what lies under a mask to a row of bits of which `filled` are taken already.
void append(Word* out, std::size_t filled, Word taken, unsigned kept) {
  if (kept == 0) return;  // the row may be full, and have no word left
  out += filled / 64;
  *out |= taken << (filled % 64);
  if (filled % 64 + kept > 64) out[1] |= taken >> (64 - filled % 64);
}

// Parts every cell by a candidate and keeps what the later candidates say.
Cells split(const Cells& from, std::size_t by, const std::vector<std::size_t>& later) {
  const std::vector<Half> parts = halves(from, from.column(by));
  const std::size_t total = std::accumulate(parts.begin(), parts.end(), std::size_t{0}, [](std::size_t sum, const Half& half) { return sum + half.cell.words; });
  Cells finer;
  finer.mask.assign(total, 0);
  finer.bits.assign(total * later.size(), 0);
  for (const std::size_t k : later) finer.columns.push_back(from.columns[k]);
  std::size_t place = 0;
  for (const Half& half : parts) {
    const bool move = half.cell.words < half.old.words;
    std::size_t filled = 0;
    for (std::size_t w = half.begin; w < half.begin + half.old.words; ++w) {
      const Word inside = (from.column(by)[w] ^ half.turn) & from.mask[w];
      if (move) {
        const Compressor moves(inside);
        append(finer.mask.data() + place, filled, moves(inside), moves.kept());
        for (std::size_t k = 0; k < later.size(); ++k) append(finer.bits.data() + k * total + place, filled, moves(from.column(later[k])[w]), moves.kept());
        filled += moves.kept();
      } else {
        finer.mask[place + filled / 64] = inside;
        for (std::size_t k = 0; k < later.size(); ++k) finer.bits[k * total + place + filled / 64] = from.column(later[k])[w] & inside;
        filled += 64;
      }
    }
    finer.cells.push_back(half.cell);
    place += half.cell.words;
  }
  return finer;
}

bool splits_all(const Cells& cells, std::size_t candidate, std::size_t least) {
  const Word* bits = cells.column(candidate);
  for (const Cell& cell : cells.cells) {
    const std::size_t ones = count(bits, cell.words);
    if (ones < least || cell.size - ones < least) return false;
    bits += cell.words;
  }
  return true;
}

// Whether two points show all four patterns in every cell.
bool four_ways(const Cells& cells, const Word* a, const Word* b) {
  const Word* mask = cells.mask.data();
  for (const Cell& cell : cells.cells) {
    Word both = 0, first = 0, second = 0, neither = 0;
    for (std::size_t k = 0; k < cell.words; ++k) {
      both |= a[k] & b[k];
      first |= a[k] & ~b[k];
      second |= ~a[k] & b[k];
      neither |= mask[k] & ~(a[k] | b[k]);
    }
    if (both == 0 || first == 0 || second == 0 || neither == 0) return false;
    a += cell.words;
    b += cell.words;
    mask += cell.words;
  }
  return true;
}

class VcSearch {
 public:
  VcSearch(const Projection& space, std::uint64_t limit, const Progress& progress)
      : space_(space), limit_(limit), progress_(progress) {}

  VcResult run() {
    const auto ceiling = std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(space_.rows())) - 1, space_.columns());
    result_.bounds = {static_cast<int>(std::min<std::size_t>(ceiling, 1)), static_cast<int>(ceiling)};
    if (ceiling > 0) result_.points = {space_.point(0)};
    const Cells whole = root();
    while (result_.bounds.lower < result_.bounds.upper && visited_ < limit_) {
      const int wanted = result_.bounds.lower + 1;
      chosen_.clear();
      if (extend(whole, wanted)) {
        result_.bounds.lower = wanted;
        result_.points = chosen_;
        for (std::uint32_t& c : result_.points) c = space_.point(c);
      } else if (visited_ < limit_) {
        result_.bounds.upper = wanted - 1;
      }
    }
    return std::move(result_);
  }

 private:
  Cells root() const {
    Cells whole{{{space_.rows(), space_.words()}}, Bits(space_.words(), ~Word{0}), std::vector<std::uint32_t>(space_.columns()), {}};
    whole.mask.back() &= tail_mask(space_.rows());
    std::iota(whole.columns.begin(), whole.columns.end(), 0u);
    for (std::size_t c = 0; c < space_.columns(); ++c) whole.bits.insert(whole.bits.end(), space_.column(c), space_.column(c) + space_.words());
    return whole;
  }

  // Chooses `missing` ≥ 2 more of the candidates, so that every cell ends up in 2^missing parts.
  bool extend(const Cells& cells, int missing) {
    const std::size_t least = std::size_t{1} << (missing - 1);
    std::vector<std::size_t> fit;
    for (std::size_t k = 0; k < cells.columns.size(); ++k) {
      if (visited_ >= limit_) return false;
      tick();
      if (splits_all(cells, k, least)) fit.push_back(k);
    }
    for (std::size_t k = 0; k + static_cast<std::size_t>(missing) <= fit.size(); ++k) {
      if (visited_ >= limit_) return false;
      const std::vector<std::size_t> later(fit.begin() + static_cast<std::ptrdiff_t>(k) + 1, fit.end());
      chosen_.push_back(cells.columns[fit[k]]);
      if (missing == 2 ? pair_up(cells, fit[k], later) : extend(split(cells, fit[k], later), missing - 1)) return true;
      chosen_.pop_back();
    }
    return false;
  }

  // The last two points: all four patterns in every cell.
  bool pair_up(const Cells& cells, std::size_t one, const std::vector<std::size_t>& others) {
    for (const std::size_t other : others) {
      tick();
      if (!four_ways(cells, cells.column(one), cells.column(other))) continue;
      chosen_.push_back(cells.columns[other]);
      return true;
    }
    return false;
  }

  void tick() {
    if (++visited_ % kBetweenCalls == 0 && progress_) progress_(result_.bounds, visited_);
  }

  const Projection& space_;
  std::uint64_t limit_, visited_ = 0;
  const Progress& progress_;
  std::vector<std::uint32_t> chosen_;
  VcResult result_;
};

}  // namespace

VcResult vc_dimension(const FiniteClass& all, std::uint64_t limit, const Progress& progress) {
  const Projection space(all, all.distinct());
  return VcSearch(space, limit, progress).run();
}

}  // namespace noregret
