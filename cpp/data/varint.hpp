// Numbers in as many bytes as they need, seven bits in each, the lowest first: Thrift, Parquet and snappy have them.
#pragma once

#include <cstdint>

#include "../refusal.hpp"

namespace noregret {

// Takes as many bytes as the number has; `next` gives one, or throws where there is none.
template <class Next>
std::uint64_t read_varint(Next next) {
  std::uint64_t found = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = next();
    found |= (byte & 127) << shift;
    if (byte < 128) return found;
  }
  throw Refusal("BadFile", "a number has more than 64 bits");
}

}  // namespace noregret
