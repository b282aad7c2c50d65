// Columns out of the pages of a Parquet file, as they were read.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "../data/parquet_cells.hpp"

namespace noregret {

struct PageColumns {
  PageColumns(std::vector<PageCells> cells, std::size_t rows) : cells(std::move(cells)), rows(rows) {}
  PageColumns(PageColumns&&) = default;
  PageColumns(const PageColumns&) = delete;

  std::vector<PageCells> cells;
  std::size_t rows;
  bool given_away = false;
};

}  // namespace noregret
