#include "places.hpp"

#include <cstring>
#include <string>

#include "../refusal.hpp"
#include "../wide.hpp"

namespace noregret {
namespace {

constexpr std::size_t kBits = 64;

using Eight [[gnu::vector_size(8 * sizeof(std::uint64_t))]] = std::uint64_t;

// A bit for each code that is met, from −1 on; eight rows at a time.
NOREGRET_WIDE std::uint64_t met_codes(const std::int64_t* codes, std::size_t count) {
  constexpr std::size_t kRows = sizeof(Eight) / sizeof(std::uint64_t);
  Eight met{};
  std::size_t r = 0;
  for (; r + kRows <= count; r += kRows) {
    Eight some;
    std::memcpy(&some, codes + r, sizeof some);
    met |= (Eight{} + 1) << (some + 1);
  }
  std::uint64_t found = 0;
  for (; r < count; ++r) found |= std::uint64_t{1} << (codes[r] + 1);
  for (std::size_t k = 0; k < kRows; ++k) found |= met[k];
  return found;
}

}  // namespace

NOREGRET_WIDE bool are_codes(const std::int64_t* codes, std::size_t count, std::size_t listed) {
  std::uint64_t above = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const std::uint64_t place = static_cast<std::uint64_t>(codes[r]) + 1;
    above |= place | (listed - place);
  }
  return above <= ~std::uint64_t{0} >> 1;
}

NOREGRET_WIDE bool find_among_two(const double* cells, std::size_t count, double first, double second, std::int64_t* places) {
  return are_among_two(cells, count, first, second, places);
}

NOREGRET_WIDE bool find_among_two(const std::int64_t* cells, std::size_t count, std::int64_t first, std::int64_t second, std::int64_t* places) {
  return are_among_two(cells, count, first, second, places);
}

std::vector<bool> used_codes(const std::int64_t* codes, std::size_t count, std::size_t listed) {
  if (!are_codes(codes, count, listed)) throw Refusal("BadInput", "there is a place beside a list of " + std::to_string(listed));
  std::vector<bool> used(listed + 1);
  if (listed < kBits) {
    const std::uint64_t met = met_codes(codes, count);
    for (std::size_t k = 0; k <= listed; ++k) used[k] = (met >> k & 1) != 0;
  } else {
    std::vector<char> met(listed + 1);
    for (std::size_t r = 0; r < count; ++r) met[static_cast<std::size_t>(codes[r] + 1)] = 1;
    std::copy(met.begin(), met.end(), used.begin());
  }
  return used;
}

}  // namespace noregret
