// Eight bytes of text at a time, little end first.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace noregret {

static_assert(std::endian::native == std::endian::little, "words of text are read little end first");

template <class T>
T loaded(const char* at) {
  T word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Fewer than eight bytes, filled up with zeros. Loads that overlap: copying so few costs a call.
inline std::uint64_t last_word(const char* at, std::size_t count) {
  if (count >= 4) {
    const std::uint64_t high = loaded<std::uint32_t>(at + count - 4);
    return loaded<std::uint32_t>(at) | high << (8 * (count - 4));
  }
  if (count == 0) return 0;
  const auto byte = [at](std::size_t k) { return std::uint64_t{static_cast<unsigned char>(at[k])} << (8 * k); };
  return byte(0) | byte(count / 2) | byte(count - 1);
}

}  // namespace noregret
