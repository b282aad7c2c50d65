#include "parquet_unpack.hpp"

#include <algorithm>

#if defined(NOREGRET_X86)
#include <immintrin.h>

#include "../instructions.hpp"
#endif

namespace noregret {

#if defined(NOREGRET_X86)

namespace {

constexpr unsigned kMostBits = 25;     // with the bits before it, a number lies in four bytes
constexpr std::size_t kVector = 16;    // bytes that are loaded for four numbers
constexpr std::size_t kLeast = 4 * 8;  // below that it takes longer to get ready

}  // namespace

// Four numbers lie in sixteen bytes, whatever their width: the bytes of each are brought to its place, and what stands before and behind
// it is shifted and cut off.
[[gnu::target("avx2")]] std::size_t unpack_wide(std::string_view bytes, unsigned width, std::size_t count, std::uint32_t* to) {
  const std::size_t second = width / 2;  // where the fifth number begins: at a byte, or in the middle of one
  if (instructions() == Instructions::plain || width == 0 || width > kMostBits || count < kLeast || bytes.size() < second + kVector) return 0;
  alignas(32) std::uint8_t places[32];
  alignas(32) std::uint32_t shifts[8];
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned bit = k < 4 ? k * width : k * width - 8 * (width / 2);
    for (unsigned byte = 0; byte < 4; ++byte) places[4 * k + byte] = static_cast<std::uint8_t>(bit / 8 + byte);
    shifts[k] = bit % 8;
  }
  const __m256i place = _mm256_load_si256(reinterpret_cast<const __m256i*>(places)), shift = _mm256_load_si256(reinterpret_cast<const __m256i*>(shifts));
  const __m256i mask = _mm256_set1_epi32(static_cast<int>((1U << width) - 1));
  const std::size_t eights = std::min(count / 8, (bytes.size() - second - kVector) / width + 1);
  const char* from = bytes.data();
  for (std::size_t k = 0; k < eights; ++k, from += width, to += 8) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + second));
    const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    const __m256i numbers = _mm256_and_si256(_mm256_srlv_epi32(_mm256_shuffle_epi8(both, place), shift), mask);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), numbers);
  }
  return 8 * eights;
}

#else

std::size_t unpack_wide(std::string_view, unsigned, std::size_t, std::uint32_t*) { return 0; }

#endif

}  // namespace noregret
