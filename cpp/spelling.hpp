// The letters of a name in two words, so that most names are compared and hashed without a loop.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "words.hpp"

namespace noregret {

// Up to 15 bytes stand at the end; their number stands at the beginning, and zeros in between. Of a longer name it says only how long it is.
struct Spelling {
  std::uint64_t first = 0, rest = 0;

  constexpr Spelling() = default;
  constexpr Spelling(std::uint64_t first, std::uint64_t rest) : first(first), rest(rest) {}
  static Spelling nobody() { return {kLong - 1, 0}; }  // which is no name's
  explicit Spelling(std::string_view name) : first(name.size()) {
    const std::size_t size = name.size();
    if (size > kMost) {
      first = size << 8 | kLong;
    } else if (size < 8) {
      rest = at_end(name.data(), size);
    } else {
      first |= at_end(name.data(), size - 8);
      rest = loaded<std::uint64_t>(name.data() + size - 8);
    }
  }
  // The same of a name that stands behind other bytes, sixteen at least, which may be read: no branch depends on how short it is.
  static Spelling behind(std::string_view name) {
    const std::uint64_t size = name.size();
    if (size > kMost) return {size << 8 | kLong, 0};
    const char* const end = name.data() + size;
    return {(loaded<std::uint64_t>(end - 16) & kOwn[size].first) | size, loaded<std::uint64_t>(end - 8) & kOwn[size].rest};
  }

  bool is_long() const { return (first & kLong) == kLong; }
  std::size_t size() const { return is_long() ? first >> 8 : first & kLong; }
  std::string_view letters() const { return {reinterpret_cast<const char*>(this + 1) - size(), size()}; }  // unless it is long
  // Without a branch: whether a name is a new one, no processor foresees.
  bool operator==(const Spelling& other) const { return ((first ^ other.first) | (rest ^ other.rest)) == 0; }

 private:
  static constexpr std::uint64_t kMost = 15, kLong = 0xff;
  static constexpr std::uint64_t last_bytes(std::uint64_t count) { return count == 0 ? 0 : ~std::uint64_t{0} << (64 - 8 * count); }
  static std::uint64_t at_end(const char* at, std::size_t count) { return count == 0 ? 0 : last_word(at, count) << (64 - 8 * count); }

  static const std::array<Spelling, kMost + 1> kOwn;  // by size: the bits that belong to the name
};

inline constexpr std::array<Spelling, Spelling::kMost + 1> Spelling::kOwn = [] {
  std::array<Spelling, kMost + 1> own;
  for (std::uint64_t size = 0; size < own.size(); ++size) own[size] = {last_bytes(size < 8 ? 0 : size - 8), last_bytes(size < 8 ? size : 8)};
  return own;
}();

}  // namespace noregret
