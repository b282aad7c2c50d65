// Small numbers in a row as Parquet keeps them: the same one so many times, or each in as few bits as will do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "../refusal.hpp"
#include "parquet_ascending.hpp"
#include "parquet_unpack.hpp"
#include "varint.hpp"

namespace noregret {

class Runs {
 public:
  Runs(std::string_view bytes, unsigned width) : bytes_(bytes), width_(width), mask_((std::uint64_t{1} << (width & 63)) - 1) {
    if (width > kMostBits) throw Refusal("BadFile", "a page has places of more than 32 bits");
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

  // The same for numbers of one bit, of which several(bytes, skip, count) is given the bytes, and how many bits of the first to pass over.
  template <class Same, class Several>
  void take_bits(std::size_t count, Same same, Several several) {
    while (count > 0) {
      if (left_ == 0) next();
      const std::size_t some = std::min(count, left_);
      if (packed_) {
        several(run_.data() + used_ / 8, used_ % 8, some);
      } else if (some > 0) {
        same(number_, some);
      }
      used_ += some;
      left_ -= some;
      count -= some;
    }
  }

  // The first of the next so many numbers, if each is one more than the one before it.
  std::optional<std::uint32_t> take_ascending(std::size_t count) {
    if (left_ == 0) next();
    if (!packed_ || width_ < Ascending::kLeastBits) return std::nullopt;
    unpack(1);
    const std::uint32_t first = numbers_[0];
    if (count == 0 || count - 1 > mask_ - first) return std::nullopt;
    Ascending expected(width_, first);
    for (std::size_t done = 0, some; done < count; done += some) {
      if (left_ == 0) next();
      some = std::min({count - done, left_, used_ % 8 == 0 ? Ascending::kNumbers : 8 - used_ % 8});
      if (!packed_ || !ascend(expected, static_cast<std::uint32_t>(first + done), some)) return std::nullopt;
      expected.pass(static_cast<std::uint32_t>(some));
      used_ += some;
      left_ -= some;
    }
    return first;
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
  static constexpr unsigned kMostBits = Ascending::kMostBits;

  // Whether the next so many are these, of which `expected` has the bits and `first` is the first.
  bool ascend(const Ascending& expected, std::uint32_t first, std::size_t some) {
    if (used_ % 8 == 0 && some % 8 == 0) return expected.stand_at(run_.data() + used_ / 8 * width_, some);
    unpack(some);
    for (std::size_t k = 0; k < some; ++k) {
      if (numbers_[k] != first + k) return false;
    }
    return true;
  }

  // Eight numbers take as many bytes as each of them has bits: where one begins among them is known to the compiler.
  template <unsigned kBits>
  static void unpack_eights(const char* bytes, std::size_t eights, std::uint32_t* to) {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
    for (; eights > 0; --eights, bytes += kBits, to += 8) {
      for (unsigned k = 0; k < 8; ++k) {
        std::uint64_t word;
        std::memcpy(&word, bytes + k * kBits / 8, 8);
        to[k] = static_cast<std::uint32_t>((word >> (k * kBits % 8)) & kMask);
      }
    }
  }
  using UnpackEights = void (*)(const char*, std::size_t, std::uint32_t*);
  template <unsigned... kBits>
  static constexpr std::array<UnpackEights, kMostBits + 1> for_each_width(std::integer_sequence<unsigned, kBits...>) {
    return {&unpack_eights<kBits>...};
  }

  // As many of so many numbers as eights of them can be read without a look at where the page ends; says how many.
  std::size_t unpack_quickly(std::size_t count) {
    constexpr auto kUnpack = for_each_width(std::make_integer_sequence<unsigned, kMostBits + 1>());
    if (width_ == 0 || used_ % 8 != 0) return 0;
    const std::size_t begin = used_ / 8 * width_;
    if (const std::size_t done = unpack_wide(run_.substr(begin), width_, count, numbers_.data()); done > 0) return done;
    if (run_.size() < begin + 8) return 0;
    const std::size_t eights = std::min(count / 8, (run_.size() - begin - 8) / width_);
    kUnpack[width_](run_.data() + begin, eights, numbers_.data());
    return 8 * eights;
  }

  void unpack(std::size_t count) {
    for (std::size_t k = unpack_quickly(count); k < count; ++k) {
      const std::size_t bit = (used_ + k) * width_, left = run_.size() - bit / 8;
      std::uint64_t word = 0;
      if (left >= 8) {
        std::memcpy(&word, run_.data() + bit / 8, 8);
      } else if (width_ > 0) {
        std::memcpy(&word, run_.data() + bit / 8, left);
      }
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
      run_ = bytes_;
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

  std::string_view bytes_, run_;  // what follows; and from where a run begins on, whose end nobody has to look out for
  unsigned width_;
  std::uint64_t mask_;
  std::size_t left_ = 0, used_ = 0;
  std::uint32_t number_ = 0;
  bool packed_ = false;
  std::array<std::uint32_t, kSome> numbers_;
};

}  // namespace noregret
