// The inner loops of the parsers of features written name:value, by the instructions that
// were chosen.
#pragma once

#include <cstddef>
#include <cstdint>

namespace noregret {

// What ends a token: a blank, a tab, the end of the line; and what a format adds to them.
struct TokenEnds {
  char blank;  // another blank
  char stop;   // ends more than the token, as the end of the line does
};

// Where they are in a text.
struct Places {
  std::uint32_t *colons, *ends;
  std::uint32_t* stops;  // which of the ends
  std::size_t colon_count = 0, end_count = 0, stop_count = 0;
};

// Reads tokens such as 123:0.45, 7:-1 or a:1, one after the other, a colon and an end for each (ends[-1] is where the first one
// begins, and eight bytes before it can be read): the name as a number, −1 if it is none or has a 0 in front or more than eight
// digits, and the value. Gives how many of them, from the first on, it could read; a longer value, or one written in another way, it leaves
// to others, and a name without a number too if `only_numbers`. There is room for eight more than `count` in all arrays.
using ReadPairs = std::size_t (*)(const char* text, const std::uint32_t* colons, const std::uint32_t* ends, std::size_t count, bool only_numbers,
                                  std::int32_t* numbers, double* values);

struct TextKernels {
  // Adds the places from `begin` on and before `end`; there is room for 64 more than there are.
  void (*find)(const char* text, std::size_t begin, std::size_t end, TokenEnds what, Places& places);
  // The first one reads values of up to eight characters; the second one, which takes longer, also those of 0. and up to eight digits.
  ReadPairs pairs[2];
};

const TextKernels& text_kernels();

}  // namespace noregret
