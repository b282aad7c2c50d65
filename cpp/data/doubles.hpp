// Loops over long rows of doubles, by the widest vectors that the processor has.
#pragma once

#include <cstddef>

namespace noregret {

// Whether none of them is NaN.
bool are_numbers(const double* cells, std::size_t count);

// Writes the same number so many times.
void fill_numbers(double number, std::size_t count, double* to);

// Numbers that may lie anywhere, as doubles; of floats it is said whether none is NaN.
bool widen_floats(const char* from, std::size_t count, double* to);
void widen_shorts(const char* from, std::size_t count, double* to);  // whole ones of four bytes
void widen_longs(const char* from, std::size_t count, double* to);   // and of eight

}  // namespace noregret
