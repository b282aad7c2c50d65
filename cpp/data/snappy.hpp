// Snappy, a compression that is quick to undo: https://github.com/google/snappy/blob/main/format_description.txt
#pragma once

#include <cstddef>
#include <functional>

namespace noregret {

// Puts the next so many bytes there, and those behind them elsewhere; throws where there are fewer.
using Fetch = std::function<void(char* to, std::size_t count, char* then, std::size_t more)>;

// Undoes it, into exactly so many bytes. Bytes that are stored as they were are fetched right to their place. Throws Refusal when
// what is fetched is damaged.
void unpack_snappy(const Fetch& fetch, std::size_t packed, char* to, std::size_t size);

}  // namespace noregret
