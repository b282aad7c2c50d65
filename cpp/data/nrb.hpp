// Blocks of the binary format .nrb. docs/nrb.md describes the file; nrb.py and nrb_file.py in
// src/noregret/data read and write it around these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../rows.hpp"
#include "parsed.hpp"

namespace noregret {

// What stands at the start of a block, little end first.
struct NrbHead {
  char magic[4];             // "NRBb"
  std::uint8_t value_kind;   // ValueKind
  std::uint8_t index_bytes;  // 2 or 4
  std::uint8_t decimals;     // of values that are decimal fractions
  std::uint8_t more;         // kWeights and kGroups, where each row has one
  std::uint32_t rows;
  std::uint32_t values;
  std::uint64_t bytes;     // behind the head
  std::uint64_t checksum;  // XXH64 of what is behind the head, xor XXH64 of the head with 0 in this place
};
static_assert(sizeof(NrbHead) == 32);

enum class ValueKind : std::uint8_t { real64, real32, ones, decimal16, decimal32 };

inline constexpr std::uint8_t kWeights = 1, kGroups = 2;

// What each row has beside its features.
struct RowFacts {
  const double* labels;
  const double* weights = nullptr;       // null: all are 1
  const std::int64_t* groups = nullptr;  // the query of each row, −1 for none; null: there is none at all
};

// Sparse rows as a block.
template <class V, class I>
std::string encode_nrb(const SparseRows<V, I>& rows, const RowFacts& facts);

// A whole block. Throws Refusal when it is damaged.
Parsed decode_nrb(std::string_view block);

}  // namespace noregret
