// The pages of a row group of a Parquet file, cut into pieces of rows that are read when they are wanted.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parquet_cells.hpp"
#include "parquet_doubles.hpp"
#include "parquet_footer.hpp"
#include "parquet_header.hpp"
#include "snappy.hpp"
#include "stacked.hpp"
#include "zstd.hpp"

namespace noregret {

class PageFile {
 public:
  explicit PageFile(const std::string& path);
  ~PageFile();
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  // Reads so many bytes, or as many as there are; says how many.
  std::size_t read(std::int64_t at, std::size_t count, char* to) const;
  // Fills rooms with what stands there, one after the other; false when there is less.
  bool read(std::int64_t at, std::span<const Room> rooms) const;
  // Its row groups, as its end tells.
  std::vector<FooterGroup> groups() const;

 private:
  int file_;
};

// Undoes a compression of so many bytes, into exactly so many; nothing where there is none.
using Unpack = std::function<void(const Fetch& fetch, std::size_t packed, char* to, std::size_t size)>;
// Finds so many bytes in what was compressed, where they stand as they were; nothing when that cannot be told.
using FindStretches = std::function<std::vector<Stretch>(const Fetch& fetch, std::size_t packed, std::size_t size)>;

struct Compression {
  Unpack unpack = nullptr;
  FindStretches stretches = nullptr;
  bool asks_python = false;

  static Compression snappy() { return {unpack_snappy, find_snappy_stretches}; }
  static Compression zstd() { return {unpack_zstd}; }
};

// A page, which is read once, by whichever thread wants it first.
class Page : public NumberList {
 public:
  Page(std::shared_ptr<const PageFile> file, const PageHeader& header, std::int64_t at, Compression compression)
      : header_(header), file_(std::move(file)), at_(at), compression_(std::move(compression)) {}

  std::size_t values() const { return static_cast<std::size_t>(header_.values); }
  bool spelt_out() const { return header_.encoding == 0; }
  // Some of its cells.
  PagePart part(CellKind kind, bool optional, std::size_t skip, std::size_t take);
  // Reads a page of nothing but doubles right to where they go; false when it is another. What stands before them in the page goes
  // before that place, where there has to be room for so many bytes, which are then what they were.
  static constexpr std::size_t kBefore = 64;
  bool put(CellKind kind, bool optional, double* to);
  // What its cells lie in, for whoever keeps some of them; it may be forgotten before they are.
  std::shared_ptr<void> bytes();
  // Gives its memory back; it is read once more if it is wanted again.
  void forget();
  // What it holds when it is a dictionary of numbers.
  std::string_view all(std::size_t size) override;
  const double* wholes(std::size_t size) override;
  bool has_gaps(std::size_t size) override;
  bool put_some(std::size_t first, std::size_t count, std::size_t size, char* to) override;
  // What it holds when it is a dictionary.
  const PageDictionary& dictionary(CellKind kind);

 private:
  std::size_t stored() const { return static_cast<std::size_t>(header_.stored); }
  std::size_t raw() const { return static_cast<std::size_t>(header_.raw); }
  std::size_t level_bytes() const { return header_.level_bytes < 0 ? 0 : static_cast<std::size_t>(header_.level_bytes); }
  bool is_packed() const { return compression_.unpack && header_.compressed; }
  void fetch(std::size_t from, std::span<const Room> rooms) const;
  void read();
  void unpack(char* to) const;
  const std::vector<Stretch>& stretches();
  PagePart whole(const char* bytes) const;

  PageHeader header_;
  std::shared_ptr<const PageFile> file_;
  std::int64_t at_;
  Compression compression_;
  std::mutex reading_;
  std::shared_ptr<Column<char>> bytes_;  // when they were read
  std::optional<PageDictionary> dictionary_;
  std::optional<Column<double>> wholes_;
  std::optional<bool> has_gaps_;
  std::optional<std::vector<Stretch>> stretches_;
  std::optional<PageMarks> marks_;  // of a page of which some cells were taken before
};

// What is told of a column in a row group.
struct PageColumn {
  CellKind kind;
  bool optional;    // cells may be missing
  std::int64_t at;  // of its first page
  std::int64_t values;
  Compression compression;
};

// Cells of a column, in the pages that have them.
struct PageRange {
  struct Part {
    std::shared_ptr<Page> page;
    std::size_t skip, take;
  };
  CellKind kind;
  bool optional;
  std::shared_ptr<Page> dictionary;  // none when there is none
  std::vector<Part> parts;

  PageCells read() const;
  // Puts numbers of a letter of Arrow's where they go, as doubles, NaN where a cell is missing. Says whether none is NaN; nothing when the
  // letter is not known.
  std::optional<bool> put(char letter, double* to) const;
  // Gives back the memory of pages that nobody else wants.
  void forget() const;

 private:
  std::vector<PagePart> found() const;
  std::optional<bool> put(char letter, const Part& part, double* to) const;
};

// The pages of a column in a row group, one behind the other.
class PageChunk {
 public:
  PageChunk(std::shared_ptr<const PageFile> file, PageColumn told) : file_(std::move(file)), told_(std::move(told)), left_(told_.values) {}

  // How many of the next cells can be read at once, of at most so many: fewer where words begin or end to be spelt out.
  std::size_t at_once(std::size_t most);
  // How many cells there are up to the end of the page that holds the last of so many.
  std::size_t whole_pages(std::size_t cells);
  PageRange take(std::size_t cells);
  bool asks_python() const { return told_.compression.asks_python; }

 private:
  bool next();
  Page& page(std::size_t k);

  std::shared_ptr<const PageFile> file_;
  PageColumn told_;
  std::int64_t left_;  // cells of pages whose header was not read
  std::shared_ptr<Page> dictionary_;
  std::deque<std::shared_ptr<Page>> pages_;
  std::size_t passed_ = 0;  // cells of the first page that were taken
};

struct PagePiece {
  std::vector<PageRange> columns;
  std::size_t rows;
  std::size_t first = 0;  // the column that is read first

  static constexpr char kFree = ' ';

  PagePiece only(const std::vector<std::size_t>& wanted) const;
  std::vector<PageCells> read() const;
  // These columns as a matrix: which it is, and Arrow's letter for its numbers, or that it is to be left free; NaN where a cell is
  // missing. Nothing when a letter is not known. A column's pages are let go before the next one's are read, into the same memory, which is
  // in the cache by then.
  std::optional<Stacked> numbers(const std::vector<std::pair<std::size_t, char>>& wanted) const;
};

class PageGroup {
 public:
  // At most so many rows at once.
  PageGroup(const std::shared_ptr<const PageFile>& file, std::vector<PageColumn> columns, std::size_t rows, std::size_t most);

  std::optional<PagePiece> next();
  bool asks_python() const;

 private:
  std::size_t next_rows();

  std::vector<PageChunk> chunks_;
  std::size_t left_, most_;
  double turn_ = 0.0;  // which of the columns comes first, as a part of all
};

}  // namespace noregret
