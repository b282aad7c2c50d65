// Zstandard, undone by the library that most systems have: found when it is wanted, and done without where there is none.
#pragma once

#include "snappy.hpp"

namespace noregret {

bool has_zstd();

// Undoes it, into exactly so many bytes. Throws Refusal when what is fetched is damaged, or there is no library.
void unpack_zstd(const Fetch& fetch, std::size_t packed, char* to, std::size_t size);

}  // namespace noregret
