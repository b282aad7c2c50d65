// The letters of a name in two words, so that most names are compared and hashed without a loop.
#pragma once

#include <cstdint>
#include <string_view>

#include "words.hpp"

namespace noregret {

// Up to 15 bytes, filled up with zeros, and then their number. Of a longer name it says only how long it is.
struct Spelling {
  std::uint64_t first = 0, rest = 0;

  Spelling(std::uint64_t first, std::uint64_t rest) : first(first), rest(rest) {}
  static Spelling nobody() { return {0, kLong - 1}; }  // which is no name's
  explicit Spelling(std::string_view name) : rest(std::uint64_t{name.size()} << 56) {
    if (name.size() > 15) {
      rest = kLong | name.size();
    } else if (name.size() < 8) {
      first = last_word(name.data(), name.size());
    } else {
      first = loaded<std::uint64_t>(name.data());
      rest |= last_word(name.data() + 8, name.size() - 8);
    }
  }
  // The same of a name that stands behind other bytes, eight at least, which may be read: no branch depends on how short it is.
  static Spelling behind(std::string_view name) {
    const std::uint64_t size = name.size();
    if (size > 15) return {0, kLong | size};
    const char* const last = name.data() + size - 8;
    // Halves, because nothing can be shifted by 64 at once.
    const std::uint64_t before = size < 8 ? 32 - 4 * size : 0, seen = size < 8 ? 32 : 64 - 4 * size;
    return {loaded<std::uint64_t>(size < 8 ? last : name.data()) >> before >> before, loaded<std::uint64_t>(last) >> seen >> seen | size << 56};
  }

  bool is_long() const { return rest >= kLong; }
  std::size_t size() const { return is_long() ? rest & ~kLong : rest >> 56; }
  std::string_view letters() const { return {reinterpret_cast<const char*>(this), size()}; }  // unless it is long
  bool operator==(const Spelling&) const = default;

 private:
  static constexpr std::uint64_t kLong = std::uint64_t{0xff} << 56;
};

}  // namespace noregret
