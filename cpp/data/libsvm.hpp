// Text in libsvm format: "label qid:3 index:value index:value … # comment", a row a line.
#pragma once

#include <string_view>

#include "parsed.hpp"

namespace noregret {

// Parses whole lines, up to the first that is at fault; with `skip`, past it. With `bits` of 0 or
// more every index is hashed to a number below 2^bits. Bytes are never read past the end of `text`.
Parsed parse_libsvm(std::string_view text, bool skip, int bits);

}  // namespace noregret
