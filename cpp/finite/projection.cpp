#include "projection.hpp"

#include <algorithm>

namespace noregret {
namespace {

struct Source {
  const Word* bits;
  std::uint32_t point;
  bool turned;
};

Word mixed(Word a, Word b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
}

}  // namespace

template <class Column>
void Projection::fill(const Bits& mask, std::size_t columns, Column column) {
  std::vector<Compressor> moves;
  moves.reserve(mask.size());
  for (const Word word : mask) moves.emplace_back(word);
  rows_ = count(mask.data(), mask.size());
  words_ = words_for(rows_);
  Bits packed(columns * words_, 0);
  std::vector<std::uint32_t> varied;
  std::vector<bool> flips(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    Word* out = packed.data() + c * words_;
    const Word* in = column(c).bits;
    std::size_t filled = 0;
    for (std::size_t k = 0; k < mask.size(); ++k) {
      if (mask[k] == 0) continue;
      const Word taken = moves[k](in[k]);
      out[filled / 64] |= taken << (filled % 64);
      if (filled % 64 + moves[k].kept() > 64) out[filled / 64 + 1] |= taken >> (64 - filled % 64);
      filled += moves[k].kept();
    }
    if (words_ > 0 && (out[0] & 1)) {
      flips[c] = true;
      for (std::size_t k = 0; k < words_; ++k) out[k] = ~out[k];
      out[words_ - 1] &= tail_mask(rows_);
    }
    if (std::any_of(out, out + words_, [](Word word) { return word != 0; })) varied.push_back(static_cast<std::uint32_t>(c));
  }
  const auto at = [&](std::uint32_t c) { return packed.data() + c * words_; };
  const auto compare = [&](std::uint32_t a, std::uint32_t b) { return std::lexicographical_compare_three_way(at(a), at(a) + words_, at(b), at(b) + words_); };
  std::stable_sort(varied.begin(), varied.end(), [&](auto a, auto b) { return compare(a, b) < 0; });
  varied.erase(std::unique(varied.begin(), varied.end(), [&](auto a, auto b) { return compare(a, b) == 0; }), varied.end());
  bits_.reserve(varied.size() * words_);
  for (const std::uint32_t c : varied) {
    bits_.insert(bits_.end(), at(c), at(c) + words_);
    points_.push_back(column(c).point);
    turned_.push_back(column(c).turned != flips[c]);
  }
}

Projection::Projection(const FiniteClass& all, const Bits& members) {
  fill(members, all.points(), [&](std::size_t x) { return Source{all.column(x), static_cast<std::uint32_t>(x), false}; });
}

Bits Projection::mask(std::size_t c, bool side) const {
  Bits mask(column(c), column(c) + words_);
  if (side) return mask;
  for (Word& word : mask) word = ~word;
  mask.back() &= tail_mask(rows_);
  return mask;
}

Projection Projection::side(std::size_t c, bool side) const {
  Projection part;
  part.fill(mask(c, side), columns(), [this](std::size_t k) { return Source{column(k), points_[k], turned_[k]}; });
  return part;
}

Fingerprint Projection::fingerprint() const {
  Fingerprint print{rows_ * 0x9e3779b97f4a7c15u + 1, rows_ * 0xc2b2ae3d27d4eb4fu + 3};
  for (const Word word : bits_) {
    print.first = mixed(print.first ^ word, 0xa0761d6478bd642fu) + 0xe7037ed1a0b428dbu;
    print.second = mixed(print.second + word, 0x8ebc6af09c88c6e3u) ^ (word * 0x589965cc75374cc3u);
  }
  return print;
}

}  // namespace noregret
