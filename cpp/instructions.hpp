// The vector instructions that the wide loops use, chosen once for the processor at hand. Every choice gives the same bits.
#pragma once

#include <string>
#include <vector>

namespace noregret {

enum class Instructions { plain, avx2, avx512, vbmi2 };  // each with those before it; the last moves the bytes of wide registers

Instructions instructions();
std::vector<std::string> instruction_names();      // what this processor can run, the widest last
void choose_instructions(const std::string& name);  // one of them; for tests and benchmarks

}  // namespace noregret
