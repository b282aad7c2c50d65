// XXH64 with seed 0, after its published description (Y. Collet): four lanes that do not wait for
// each other, so that checking a block costs a fraction of reading it.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "../words.hpp"

namespace noregret {

class Xxh64 {
 public:
  static std::uint64_t of(std::string_view bytes) {
    const char *at = bytes.data(), *const end = at + bytes.size();
    std::uint64_t sum = bytes.size() >= 32 ? lanes(at, end) : k5;
    sum += bytes.size();
    for (; end - at >= 8; at += 8) sum = std::rotl(sum ^ round(0, loaded<std::uint64_t>(at)), 27) * k1 + k4;
    if (end - at >= 4) {
      sum = std::rotl(sum ^ loaded<std::uint32_t>(at) * k1, 23) * k2 + k3;
      at += 4;
    }
    for (; at < end; ++at) sum = std::rotl(sum ^ static_cast<unsigned char>(*at) * k5, 11) * k1;
    sum = (sum ^ sum >> 33) * k2;
    sum = (sum ^ sum >> 29) * k3;
    return sum ^ sum >> 32;
  }

 private:
  static constexpr std::uint64_t k1 = 0x9e3779b185ebca87u, k2 = 0xc2b2ae3d27d4eb4fu, k3 = 0x165667b19e3779f9u,
                                 k4 = 0x85ebca77c2b2ae63u, k5 = 0x27d4eb2f165667c5u;

  static std::uint64_t round(std::uint64_t sum, std::uint64_t word) { return std::rotl(sum + word * k2, 31) * k1; }

  static std::uint64_t lanes(const char*& at, const char* end) {
    std::uint64_t a = k1 + k2, b = k2, c = 0, d = 0 - k1;
    for (; end - at >= 32; at += 32) {
      a = round(a, loaded<std::uint64_t>(at));
      b = round(b, loaded<std::uint64_t>(at + 8));
      c = round(c, loaded<std::uint64_t>(at + 16));
      d = round(d, loaded<std::uint64_t>(at + 24));
    }
    std::uint64_t sum = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
    for (const std::uint64_t lane : {a, b, c, d}) sum = (sum ^ round(0, lane)) * k1 + k4;
    return sum;
  }
};

}  // namespace noregret
