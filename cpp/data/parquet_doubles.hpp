// Numbers out of the pages of a Parquet file, as doubles.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "parquet_cells.hpp"

namespace noregret {

// The numbers that the places in a page point to.
class NumberList {
 public:
  virtual ~NumberList() = default;
  // All of them, of so many bytes each, as they lie in memory.
  virtual std::string_view all(std::size_t size) = 0;
  // The same for whole numbers, as doubles: they are looked up more often than there are any.
  virtual const double* wholes(std::size_t size) = 0;
  // Whether one of them is NaN, when they are floats of so many bytes.
  virtual bool has_gaps(std::size_t size) = 0;
  // So many, of so many bytes each, from one on: right to where they go, if need be without the others; false when there are fewer.
  virtual bool put_some(std::size_t first, std::size_t count, std::size_t size, char* to) = 0;
};

// Puts the cells of a part where they go: numbers of this letter of Arrow's, or places in a list of such, null when there is none. NaN
// where a cell is missing. Says whether none is NaN; nothing when the letter is not known.
std::optional<bool> put_doubles(char letter, bool optional, NumberList* list, PagePart part, double* to);

}  // namespace noregret
