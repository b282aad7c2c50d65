// Text in the format of Vowpal Wabbit: "label importance base 'tag |space:scale name:value name …".
#pragma once

#include <string_view>

#include "naming.hpp"

namespace noregret {

// Parses whole lines, up to the first that is at fault; with `skip`, past it. A feature of a
// namespace is called space^name; one of the nameless namespace by its name alone. Bytes are never
// read past the end of `text`.
Parsed parse_vw(std::string_view text, bool skip, Naming naming);

}  // namespace noregret
