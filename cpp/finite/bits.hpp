// Sets as words of 64 bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace noregret {

using Word = std::uint64_t;
using Bits = std::vector<Word>;

inline std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

// The bits of the last word that belong to the set; all of them when it is full.
inline Word tail_mask(std::size_t bits) { return bits % 64 == 0 ? ~Word{0} : (Word{1} << (bits % 64)) - 1; }

// Counts the ones of a word in place: std::popcount is a call into a library where the processor's
// own instruction may not be assumed.
inline std::size_t ones_of(Word word) {
  word -= (word >> 1) & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::size_t>((word * 0x0101010101010101u) >> 56);
}

inline std::size_t count(const Word* bits, std::size_t words) {
  std::size_t total = 0;
  for (std::size_t k = 0; k < words; ++k) total += ones_of(bits[k]);
  return total;
}

inline std::size_t count_common(const Word* a, const Word* b, std::size_t words) {
  std::size_t total = 0;
  for (std::size_t k = 0; k < words; ++k) total += ones_of(a[k] & b[k]);
  return total;
}

inline bool test(const Word* bits, std::size_t place) { return (bits[place / 64] >> (place % 64)) & 1; }

// Moves the bits under a mask together, keeping their order (Warren, Hacker's Delight, §7-4). The
// moves depend on the mask alone, so that many words under one mask share them.
class Compressor {
 public:
  explicit Compressor(Word mask) : mask_(mask), kept_(static_cast<unsigned>(ones_of(mask))) {
    Word below = ~mask << 1;
    for (int step = 0; step < 6; ++step) {
      Word parity = below;
      for (int shift = 1; shift < 64; shift *= 2) parity ^= parity << shift;
      moves_[step] = parity & mask;
      mask = (mask ^ moves_[step]) | (moves_[step] >> (1 << step));
      below &= ~parity;
    }
  }
  unsigned kept() const { return kept_; }
  Word operator()(Word bits) const {
    bits &= mask_;
    for (int step = 0; step < 6; ++step) {
      const Word moving = bits & moves_[step];
      bits = (bits ^ moving) | (moving >> (1 << step));
    }
    return bits;
  }

 private:
  Word mask_;
  unsigned kept_;
  std::array<Word, 6> moves_{};
};

}  // namespace noregret
