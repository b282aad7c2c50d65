// Snappy, a compression that is quick to undo: https://github.com/google/snappy/blob/main/format_description.txt
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace noregret {

// Where bytes go.
struct Room {
  char* to;
  std::size_t count;
};

// Puts the bytes that begin so far behind the first one into these rooms, one after the other; throws where there are fewer.
using Fetch = std::function<void(std::size_t from, std::span<const Room> rooms)>;

// Undoes it, into exactly so many bytes. Bytes that are stored as they were are fetched right to their place. Throws Refusal when
// what is fetched is damaged.
void unpack_snappy(const Fetch& fetch, std::size_t packed, char* to, std::size_t size);

// Bytes that are stored as they were, so far behind the first one.
struct Stretch {
  std::size_t at, count;
};

// All of them, one after the other, if they are so many and stored as they were, in long stretches; else nothing.
std::vector<Stretch> find_snappy_stretches(const Fetch& fetch, std::size_t packed, std::size_t size);

}  // namespace noregret
