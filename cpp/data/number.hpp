// Numbers out of text, exactly as Python's float reads them.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "../words.hpp"

namespace noregret {

// The digits of up to eight bytes that end at `end`, worked on all at once: neighbours are joined to
// pairs, pairs to fours, fours to the eight. Eight bytes before `end` must be readable.
class Digits {
 public:
  Digits(const char* end, std::size_t count) : bytes_(fetched(end) & kKept[count]) {}
  // With a point in front of the last `behind` of them (`pointed` is 1; else it is 0, and so is
  // `behind`): what stands before the point moves up and takes its place.
  Digits(const char* end, std::size_t count, std::size_t pointed, std::size_t behind) {
    const std::uint64_t bytes = fetched(end), after = kKept[behind];
    bytes_ = ((bytes << (8 * pointed) & ~after) | (bytes & after)) & kKept[count - pointed];
  }
  // Of a word whose last `count` bytes they are.
  Digits(std::uint64_t word, std::size_t count) : bytes_((word ^ kZeros) & kKept[count]) {}
  bool are_digits() const { return ((bytes_ | (bytes_ + 0x7676767676767676u)) & 0x8080808080808080u) == 0; }
  std::uint64_t number() const {
    std::uint64_t n = (bytes_ * 2561) >> 8;
    n = ((n & 0x00ff00ff00ff00ffu) * 6553601) >> 16;
    return ((n & 0x0000ffff0000ffffu) * 42949672960001u) >> 32;
  }

 private:
  static constexpr std::uint64_t kZeros = 0x3030303030303030u;
  static constexpr std::uint64_t kKept[9] = {0,
                                             0xff00000000000000u,
                                             0xffff000000000000u,
                                             0xffffff0000000000u,
                                             0xffffffff00000000u,
                                             0xffffffffff000000u,
                                             0xffffffffffff0000u,
                                             0xffffffffffffff00u,
                                             0xffffffffffffffffu};
  static std::uint64_t fetched(const char* end) { return loaded<std::uint64_t>(end - 8) ^ kZeros; }

  std::uint64_t bytes_;
};

inline constexpr std::uint64_t kWholeTens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
// These are exact in a double, and so is a whole number up to 2⁵³: one division or multiplication of
// the two rounds once, which is what the exact value would do (Clinger 1990).
inline constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// The same, and again with a minus: dividing by one of these sets the sign at no cost.
inline constexpr double kSignedTens[2][8] = {{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}, {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7}};

// A value of at most eight characters, such as 0.45, -1 or 12.5, between two marks of a text. `marks`
// points at the first mark behind `first`; a point is a mark, and so is a minus if `MarkedMinus`. The
// value is digits / scale.
template <bool MarkedMinus>
struct ShortValue {
  std::int32_t digits = 0;
  double scale = 1.0;
  std::size_t end = 0;   // the mark that ends it
  std::size_t used = 0;  // how many marks it took, the last included
  bool good = false;     // or it must be read in another way

  ShortValue(const char* text, std::size_t first, const std::uint32_t* marks) {
    const std::size_t minus = text[first] == '-', skipped = MarkedMinus ? minus : 0;
    const std::size_t point = marks[skipped], pointed = text[point] == '.';
    end = marks[skipped + pointed];
    used = 1 + skipped + pointed;
    const std::size_t count = end - first - minus, behind = (end - point - 1) & (0 - pointed);
    if (count - 1 > 7 || count == pointed || end < 8) return;
    const Digits read(text + end, count, pointed, behind);
    if (!MarkedMinus && !read.are_digits()) return;
    digits = static_cast<std::int32_t>(read.number());
    scale = kSignedTens[minus][behind];
    good = true;
  }
};

// Short values that wait to be divided: many divisions side by side cost a fraction of one after the
// other.
class ShortValues {
 public:
  static constexpr std::size_t kMost = 64;
  bool full() const { return count_ == kMost; }
  void put(std::int32_t digits, double scale) {
    digits_[count_] = digits;
    scales_[count_++] = scale;
  }
  double* write(double* to) {
    for (std::size_t k = 0; k < count_; ++k) to[k] = static_cast<double>(digits_[k]) / scales_[k];
    to += count_;
    count_ = 0;
    return to;
  }

 private:
  std::size_t count_ = 0;
  std::int32_t digits_[kMost];
  double scales_[kMost];
};

// The whole of `text` as a number; false when it is none. Takes what Python's float takes of plain
// decimal notation, infinities and NaN among it.
bool read_number(std::string_view text, double& number);

}  // namespace noregret
