// Numbers out of text, exactly as Python's float reads them.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "../words.hpp"

namespace noregret {

// The digits that the last `count` bytes of a word are, worked on all at once: neighbours are joined to
// pairs, pairs to fours, fours to the eight.
class Digits {
 public:
  Digits(std::uint64_t word, std::size_t count) : bytes_((word ^ kZeros) & kKept[count]) {}
  // Joins what is in front of the first point to what is behind it. Gives how many digits are behind it, kNone where there is no point.
  static constexpr int kNone = -1;
  int join(std::uint64_t word) {
    const std::uint64_t other = word ^ (0x2e * kEach);  // 0 where there is a point
    const std::uint64_t points = ~(((other & (0x7f * kEach)) + 0x7f * kEach) | other | (0x7f * kEach)) >> 7;
    if (points == 0) return kNone;
    const std::uint64_t first = points & (0 - points);
    bytes_ = (bytes_ & (first - 1)) << 8 | (bytes_ & (0 - first) << 8);
    return std::countl_zero(first) / 8;
  }
  bool are_digits() const { return ((bytes_ | (bytes_ + 0x7676767676767676u)) & 0x8080808080808080u) == 0; }
  std::uint64_t number() const {
    std::uint64_t n = (bytes_ * 2561) >> 8;
    n = ((n & 0x00ff00ff00ff00ffu) * 6553601) >> 16;
    return ((n & 0x0000ffff0000ffffu) * 42949672960001u) >> 32;
  }

  static constexpr std::uint64_t kEach = 0x0101010101010101u, kZeros = 0x30 * kEach;
  static constexpr std::uint64_t kKept[9] = {0,
                                             0xff00000000000000u,
                                             0xffff000000000000u,
                                             0xffffff0000000000u,
                                             0xffffffff00000000u,
                                             0xffffffffff000000u,
                                             0xffffffffffff0000u,
                                             0xffffffffffffff00u,
                                             0xffffffffffffffffu};

 private:
  std::uint64_t bytes_;
};

// These are exact in a double, and so is a whole number up to 2⁵³: one division or multiplication of
// the two rounds once, which is what the exact value would do (Clinger 1990).
inline constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// What the `length` bytes before `end` say, if it is a number of one to eight characters, such as 7, 1.50 or -0.25; else false. Eight
// bytes before `end` can be read.
inline bool read_short_number(const char* end, std::size_t length, double& number) {
  if (length - 1 > 7) return false;
  const bool minus = end[-static_cast<std::ptrdiff_t>(length)] == '-';
  const auto word = loaded<std::uint64_t>(end - 8);
  Digits digits(word, length - minus);
  const int behind = digits.join(word & Digits::kKept[length]);
  if (!digits.are_digits() || length <= static_cast<std::size_t>(minus) + (behind != Digits::kNone)) return false;
  const auto joined = static_cast<double>(digits.number()), value = behind == Digits::kNone ? joined : joined / kTens[behind];
  number = minus ? -value : value;
  return true;
}

bool read_longer_number(std::string_view text, double& number);

// The whole of `text` as a number; false when it is none. Takes what Python's float takes of plain
// decimal notation, infinities and NaN among it. Labels and flags are a digit, and need no call.
inline bool read_number(std::string_view text, double& number) {
  const bool minus = text.size() == 2 && text.front() == '-';
  if (text.size() != (minus ? 2 : 1) || static_cast<unsigned char>(text.back() - '0') > 9) return read_longer_number(text, number);
  number = minus ? -static_cast<double>(text.back() - '0') : text.back() - '0';
  return true;
}

}  // namespace noregret
