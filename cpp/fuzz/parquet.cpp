// Pages of a row group, whose footer says what the first bytes of the input do.
#include "../data/parquet_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "../refusal.hpp"
#include "harness.hpp"

using namespace noregret;

namespace {

void check_words(const PageCells& cells, std::size_t rows) {
  must(cells.words != nullptr, "there are words, if only none");
  const Words& words = *cells.words;
  must(words.starts.front() == 0 && static_cast<std::size_t>(words.starts.back()) == words.letters.size(), "words fill their letters");
  for (std::size_t k = 0; k < words.size(); ++k) must(words.starts[k] <= words.starts[k + 1], "starts rise");
  const auto* codes = reinterpret_cast<const std::uint32_t*>(cells.first);
  for (std::size_t r = 0; r < rows; ++r) {
    const bool there = cells.present.empty() || ((cells.present[r / 8] >> (r % 8)) & 1) != 0;
    must(!there || codes[r] < words.size(), "a cell points to a word");
  }
}

void check_cells(CellKind kind, const PageCells& cells, std::size_t rows) {
  const std::size_t bytes = kind == CellKind::truth ? 1 : kind == CellKind::eight ? 8 : 4;
  must(reinterpret_cast<std::uintptr_t>(cells.first) % bytes == 0, "cells lie where they may");
  volatile char sum = 0;
  for (std::size_t k = 0; k < rows * bytes; ++k) sum = static_cast<char>(sum + cells.first[k]);  // all of them can be read
  must(cells.missing == 0 || cells.present.size() == (rows + 7) / 8, "a bit for every cell");
  std::size_t missing = 0;
  for (std::size_t r = 0; r < rows && cells.missing > 0; ++r) missing += ((cells.present[r / 8] >> (r % 8)) & 1) == 0;
  must(missing == cells.missing, "as many bits as are missing");
  if (kind == CellKind::word) check_words(cells, rows);
}

// A matrix holds the cells, and NaN where one is missing.
void check_numbers(char letter, std::optional<Stacked>& numbers, const PageCells& cells, std::size_t rows) {
  const Cells found = cells_at(letter, cells.first, 0);
  must(numbers.has_value() == !std::holds_alternative<double>(found), "numbers are there if they are some");
  if (!numbers) return;
  Stacked told(rows, 1);
  bool whole = told.put(0, found);
  for (std::size_t r = 0; r < rows; ++r) {
    const bool there = cells.missing == 0 || ((cells.present[r / 8] >> (r % 8)) & 1) != 0;
    must(there ? std::memcmp(numbers->data() + r, told.data() + r, sizeof(double)) == 0 : std::isnan(numbers->data()[r]), "numbers are the cells");
    whole = whole && there;
  }
  must(whole == numbers->whole, "it is told whether one is missing");
  const std::int32_t column = 7;
  const Compressed rest(numbers->data(), 0, rows, {&column, 1});
  must(rest.starts.size() == rows + 1 && (rest.values.size() == rows) == whole, "what is there is laid out");
}

// What is at the end of a file, and in front of a page.
void check_descriptions(std::string_view bytes) {
  try {
    read_footer(bytes);
  } catch (const Refusal&) {
  }
  try {
    const auto header = read_page_header(bytes);
    must(!header || (header->bytes > 0 && static_cast<std::size_t>(header->bytes) <= bytes.size()), "a header is in its bytes");
  } catch (const Refusal&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_descriptions({reinterpret_cast<const char*>(data), size});
  if (size < 4) return 0;
  static const int file = memfd_create("page", 0);
  static const auto source = std::make_shared<const PageFile>("/proc/self/fd/" + std::to_string(file));
  if (ftruncate(file, 0) != 0 || pwrite(file, data + 4, size - 4, 0) < 0) return 0;
  const auto kind = static_cast<CellKind>(data[0] & 3);
  const bool optional = (data[0] & 4) != 0;
  const Compression compression = (data[0] & 8) != 0 ? Compression::snappy() : Compression();
  const std::size_t rows = data[1] + 256u * data[2], most = 1 + data[3] * (data[2] > 0 ? 64u : 1u);
  try {
    PageGroup group(source, {{kind, optional, 0, static_cast<std::int64_t>(rows), compression}}, rows, most);
    std::size_t done = 0;
    while (const auto piece = group.next()) {
      must(piece->rows > 0 && piece->rows <= most, "some rows, and not too many");
      done += piece->rows;
      const char letter = ((data[0] & 16) != 0 ? "Cfl?" : "Cig?")[static_cast<int>(kind)];
      auto numbers = piece->numbers({{0, letter}});
      const std::vector<PageCells> read = piece->read();
      const PageCells& cells = read[0];
      check_cells(kind, cells, piece->rows);
      check_numbers(letter, numbers, cells, piece->rows);
    }
    must(done == rows, "all rows");
  } catch (const Refusal&) {
    return 0;
  }
  return 0;
}
