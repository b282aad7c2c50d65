// Numbers of which each is one more than the one before it, in as few bits as Runs has them. That a page points to one value after the
// other is seen by comparing bytes, without a look at any number: adding the same to each of 64 numbers is one long addition.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace noregret {

class Ascending {
 public:
  static constexpr std::size_t kNumbers = 64;                   // they fill as many words as a number has bits
  static constexpr unsigned kLeastBits = 6, kMostBits = 32;  // enough for each of so many numbers

  // The numbers from `first` on.
  Ascending(unsigned width, std::uint32_t first) : width_(width) {
    for (std::uint64_t k = 0; k < kNumbers; ++k) {
      put(ones_, k, 1);
      put(words_, k, k);
    }
    pass(first);
  }

  // Whether the next ones, so many eights, stand there.
  bool stand_at(const char* bytes, std::size_t count) const { return std::memcmp(bytes, words_.data(), count / 8 * width_) == 0; }

  // Goes on behind so many.
  void pass(std::uint32_t count) {
    unsigned __int128 sum = 0;
    for (unsigned k = 0; k < width_; ++k) {
      sum += static_cast<unsigned __int128>(ones_[k]) * count + words_[k];
      words_[k] = static_cast<std::uint64_t>(sum);
      sum >>= 64;
    }
  }

 private:
  using Fields = std::array<std::uint64_t, kMostBits>;

  void put(Fields& fields, std::uint64_t place, std::uint64_t number) const {
    const std::uint64_t bit = place * width_, word = bit / 64, shift = bit % 64;
    fields[word] |= number << shift;
    if (shift + width_ > 64) fields[word + 1] |= number >> (64 - shift);
  }

  unsigned width_;
  Fields ones_{}, words_{};
};

}  // namespace noregret
