// Where the bytes are that a format cares about. They are searched for sixteen at a time and ahead
// of the parser, which then goes from mark to mark and never waits to know where a token ends.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace noregret {

#if defined(__SSE2__)

class Sixteen {
 public:
  explicit Sixteen(const char* at) : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))) {}
  __m128i is(char c) const { return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)); }
  static std::uint64_t bits(__m128i found) { return static_cast<std::uint16_t>(_mm_movemask_epi8(found)); }

 private:
  __m128i bytes_;
};

#endif

// Every byte that is one of a few.
template <std::size_t N>
struct OneOf {
  char wanted[N];
  bool operator()(char c) const {
    bool found = false;
    for (char one : wanted) found |= c == one;
    return found;
  }
#if defined(__SSE2__)
  std::uint64_t operator()(const Sixteen& bytes) const {
    __m128i found = bytes.is(wanted[0]);
    for (std::size_t k = 1; k < N; ++k) found = _mm_or_si128(found, bytes.is(wanted[k]));
    return Sixteen::bits(found);
  }
#endif
};

template <class Wanted>
class Marks {
 public:
  Marks(std::string_view text, Wanted wanted) : text_(text), wanted_(wanted), at_(kStretch + 64) {}

  // The next mark; the end of the text, again and again, when there is none left.
  std::size_t next() { return cursor_ < filled_ || search_on() ? at_[cursor_++] : text_.size(); }
  // The next mark is the first that is not before this place.
  void go_to(std::size_t place) {
    cursor_ = filled_ = 0;
    searched_ = place;
  }
  // A mark that ends something; the end of the text ends a line.
  char ending(std::size_t mark) const { return mark < text_.size() ? text_[mark] : '\n'; }

 private:
  static constexpr std::size_t kStretch = 1 << 14;  // the marks of a stretch stay in the nearest cache

  std::uint64_t find(const char* at) const {
    std::uint64_t bits = 0;
#if defined(__SSE2__)
    for (int k = 3; k >= 0; --k) bits = bits << 16 | wanted_(Sixteen(at + 16 * k));
#else
    for (int k = 63; k >= 0; --k) bits = bits << 1 | static_cast<std::uint64_t>(wanted_(at[k]));
#endif
    return bits;
  }

  // The instruction for it cannot be assumed, and the library's table is slower than this.
  static std::size_t counted(std::uint64_t bits) {
    bits -= (bits >> 1) & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + ((bits >> 2) & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (bits * 0x0101010101010101u) >> 56;
  }

  void keep(std::uint64_t bits, std::size_t begin) {
    constexpr std::uint64_t kLast = std::uint64_t{1} << 63;  // makes sure that there is a lowest bit
    const std::size_t count = counted(bits);
    std::uint32_t* to = at_.data() + filled_;
    // Eight at a time whether there are so many or not: the count would be guessed wrong.
    for (std::size_t done = 0; done < count; done += 8) {
      for (std::size_t k = 0; k < 8; ++k) {
        to[done + k] = static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(std::countr_zero(bits | kLast));
        bits &= bits - 1;
      }
    }
    filled_ += count;
  }

  // Kept out of line, so that next() is not: it is called for every cell. False when there is nothing left.
  [[gnu::noinline]] bool search_on() {
    while (cursor_ == filled_) {
      if (searched_ == text_.size()) return false;
      search();
    }
    return true;
  }

  void search() {
    cursor_ = filled_ = 0;
    const std::size_t end = std::min(text_.size(), searched_ + kStretch);
    for (; searched_ + 64 <= end; searched_ += 64) keep(find(text_.data() + searched_), searched_);
    if (searched_ == end || end < text_.size()) return;
    char rest[64] = {};
    std::memcpy(rest, text_.data() + searched_, end - searched_);
    const std::uint64_t inside = (std::uint64_t{1} << (end - searched_)) - 1;
    keep(find(rest) & inside, searched_);
    searched_ = end;
  }

  std::string_view text_;
  Wanted wanted_;
  std::vector<std::uint32_t> at_;
  std::size_t cursor_ = 0, filled_ = 0, searched_ = 0;
};

}  // namespace noregret
