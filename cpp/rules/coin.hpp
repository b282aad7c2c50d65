// Chance as a function of a seed and a round, so that predict stays pure and runs repeat.
#pragma once

#include <cstdint>

namespace noregret {

// splitmix64: Steele, Lea & Flood 2014.
inline std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15u;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

// A number in [0, 1) for a round and whatever else is known of it, as good as drawn. Seed and round are whole
// numbers below 2⁵³.
inline double coin(double seed, double round, std::uint64_t more) {
  const auto key = static_cast<std::uint64_t>(seed);
  const std::uint64_t word = mixed(mixed(mixed(key) + static_cast<std::uint64_t>(round)) ^ more);
  return static_cast<double>(word >> 11) * 0x1p-53;
}

}  // namespace noregret
