// Snappy, the compression that most Parquet files have: https://github.com/google/snappy/blob/main/format_description.txt
#pragma once

#include <cstddef>
#include <string_view>

namespace noregret {

// Writes exactly so many bytes. Throws Refusal when that is not what was compressed.
void unpack_snappy(std::string_view packed, char* to, std::size_t size);

}  // namespace noregret
