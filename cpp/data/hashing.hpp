// The hash that turns features into numbers below 2^bits: version 1, fixed for ever, because saved
// weights stand where it put them. Its plain twin is noregret/reference/hashing.py.
//
// A name is the bytes of its UTF-8 in words of eight, little end first, the last one filled up with
// zeros; it starts from its length. A number is one word, and starts from −1.
#pragma once

#include <cstdint>
#include <string_view>

#include "../words.hpp"

namespace noregret {

inline constexpr int kHashVersion = 1;

inline std::uint64_t hash_step(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

inline std::uint64_t hash_end(std::uint64_t hash) {
  hash *= 0xd6e8feb86659fd93u;
  return hash ^ (hash >> 32);
}

inline std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = name.size();
  std::size_t at = 0;
  for (; at + 8 <= name.size(); at += 8) hash = hash_step(hash, loaded<std::uint64_t>(name.data() + at));
  return hash_end(hash_step(hash, last_word(name.data() + at, name.size() - at)));
}

inline std::uint64_t hash_number(std::uint64_t number) { return hash_end(hash_step(~std::uint64_t{0}, number)); }

// Keeps the last `bits` bits of a hash; −1 bits: features are not hashed.
class Hasher {
 public:
  explicit Hasher(int bits) : mask_(bits < 0 ? 0 : (std::uint64_t{1} << bits) - 1), on_(bits >= 0) {}
  bool on() const { return on_; }
  std::int32_t name(std::string_view name) const { return static_cast<std::int32_t>(hash_name(name) & mask_); }
  std::int32_t number(std::int64_t number) const {
    return static_cast<std::int32_t>(hash_number(static_cast<std::uint64_t>(number)) & mask_);
  }

 private:
  std::uint64_t mask_;
  bool on_;
};

}  // namespace noregret
