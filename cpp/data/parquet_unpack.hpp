// Small numbers of as few bits as will do, eight at a time by vector instructions where the processor has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace noregret {

// Unpacks the first eights of at most so many numbers; gives how many numbers these were: none where nothing is to be gained, and not
// those that stand so near to the end that a vector would reach beyond it.
std::size_t unpack_wide(std::string_view bytes, unsigned width, std::size_t count, std::uint32_t* to);

}  // namespace noregret
