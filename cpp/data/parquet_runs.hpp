// Small numbers in a row as Parquet keeps them: the same one so many times, or each in as few bits as will do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "../refusal.hpp"
#include "varint.hpp"

namespace noregret {

class Runs {
 public:
  Runs(std::string_view bytes, unsigned width) : bytes_(bytes), width_(width), mask_((std::uint64_t{1} << (width & 63)) - 1) {
    if (width > 32) throw Refusal("BadFile", "a page has places of more than 32 bits");
  }

  // Calls same(number, count) or several(numbers, count) for what comes next, until there were so many.
  template <class Same, class Several>
  void take(std::size_t count, Same same, Several several) {
    while (count > 0) {
      if (left_ == 0) next();
      const std::size_t some = std::min({count, left_, packed_ ? kSome : count});
      if (packed_) {
        unpack(some);
        several(numbers_.data(), some);
      } else if (some > 0) {
        same(number_, some);
      }
      used_ += some;
      left_ -= some;
      count -= some;
    }
  }

  void skip(std::size_t count) {
    while (count > 0) {
      if (left_ == 0) next();
      const std::size_t some = std::min(count, left_);
      used_ += some;
      left_ -= some;
      count -= some;
    }
  }

 private:
  static constexpr std::size_t kSome = 512;

  void unpack(std::size_t count) {
    std::size_t bit = used_ * width_, k = 0;
    const std::size_t safe = run_.size() < 8 ? 0 : 8 * (run_.size() - 7);  // from here on, eight bytes are not there
    const std::size_t quick = bit >= safe || width_ == 0 ? 0 : std::min(count, (safe - bit + width_ - 1) / width_);
    for (; k < quick; ++k, bit += width_) {
      std::uint64_t word;
      std::memcpy(&word, run_.data() + bit / 8, 8);
      numbers_[k] = static_cast<std::uint32_t>((word >> (bit % 8)) & mask_);
    }
    for (; k < count; ++k, bit += width_) {
      std::uint64_t word = 0;
      if (width_ > 0) std::memcpy(&word, run_.data() + bit / 8, run_.size() - bit / 8);
      numbers_[k] = static_cast<std::uint32_t>((word >> (bit % 8)) & mask_);
    }
  }

  void next() {
    const std::uint64_t head = read_varint([&] { return byte(); });
    const std::uint64_t count = head >> 1;
    if (count > 0xffffffff) refuse();
    packed_ = (head & 1) != 0;
    used_ = 0;
    if (packed_) {
      // The last run may be cut behind its last number.
      const std::uint64_t bytes = std::min<std::uint64_t>(count * width_, bytes_.size());
      left_ = static_cast<std::size_t>(width_ == 0 ? 8 * count : std::min(8 * count, 8 * bytes / width_));
      run_ = bytes_.substr(0, bytes);
      bytes_.remove_prefix(bytes);
    } else {
      left_ = static_cast<std::size_t>(count);
      const std::size_t bytes = (width_ + 7) / 8;
      if (bytes > bytes_.size()) refuse();
      number_ = 0;
      std::memcpy(&number_, bytes_.data(), bytes);
      bytes_.remove_prefix(bytes);
    }
  }

  std::uint8_t byte() {
    if (bytes_.empty()) refuse();
    const auto found = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return found;
  }

  [[noreturn]] static void refuse() { throw Refusal("BadFile", "a page ends before its cells do"); }

  std::string_view bytes_, run_;
  unsigned width_;
  std::uint64_t mask_;
  std::size_t left_ = 0, used_ = 0;
  std::uint32_t number_ = 0;
  bool packed_ = false;
  std::array<std::uint32_t, kSome> numbers_;
};

}  // namespace noregret
