// Rows as the judging pass of a certificate looks at them: compressed sparse rows over columns that are numbered in the
// order in which their features first occur, no feature twice in a row, no zeros.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../learner.hpp"

namespace noregret::certify {

// A view of laid-out rows; it owns nothing.
struct CellRows {
  const double* values;
  const std::int32_t* columns;
  const std::int64_t* starts;  // rows + 1 of them, the first is 0
  std::size_t rows;

  std::size_t begin(std::size_t r) const { return static_cast<std::size_t>(starts[r]); }
  std::size_t end(std::size_t r) const { return static_cast<std::size_t>(starts[r + 1]); }
};

struct LaidOut {
  std::vector<double> values;
  std::vector<std::int32_t> columns;
  std::vector<std::int64_t> starts;

  CellRows view() const { return {values.data(), columns.data(), starts.data(), starts.size() - 1}; }
};

// Numbers features in the order in which they occur. Blocks may differ in how they write their features; a feature keeps its column.
class FeatureColumns {
 public:
  // Lays out the wanted rows of a block. A row with a value that is not finite is laid out empty: every learner refuses it.
  LaidOut lay(const Block& block, const bool* wanted);

  std::size_t size() const { return count_; }
  std::int32_t add_index(std::int64_t index);
  std::int32_t add_name(std::string_view name);
  bool are_names() const { return kind_ == FeatureKind::name; }
  std::int64_t index_at(std::size_t column) const { return indices_[column]; }
  std::string_view name_at(std::size_t column) const { return names_.at(column); }

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::int64_t kDirect = std::int64_t{1} << 20;

  void require(FeatureKind kind);
  void look_at(const Block& block);
  std::int32_t column_of(const Block& block, std::ptrdiff_t cell);
  void lay_row(const Block& block, const auto& x, LaidOut& into);

  FeatureKind kind_ = FeatureKind::none;
  std::size_t count_ = 0;
  Names names_;                                             // by column
  std::vector<std::int64_t> indices_;                       // by column
  std::vector<std::int32_t> by_index_;                      // columns of small integers
  std::unordered_map<std::int64_t, std::int32_t> far_;      // columns of large ones
  std::vector<std::int32_t> by_place_;                      // columns of the names of a block, by their place
  std::uint64_t vocabulary_ = 0;                            // whose places these are
  std::vector<std::int64_t> stamps_;                        // by column: 1 + the cell of the row in which it last occurred
};

// ‖x‖², max |xᵢ| and max(0, xᵢ) − min(0, xᵢ) of every row. ‖x‖² is rounded up, and exact for whole numbers below 2⁵³.
void measure(const CellRows& x, double* squares, double* peaks, double* spans);

// ⟨u, x⟩ of every row for several u, rounded down and up; exact where the numbers are whole and the sums below 2⁵³. The table has
// `width` numbers for each of the first `known` columns; any other column weighs `rest`. Output: width × rows.
enum DirectionKind : std::uint8_t { kFractions = 0, kWhole = 1, kZero = 2 };
struct Directions {
  const double* table;
  std::size_t known;
  const double* rest;
  const double* offsets;  // what a bias adds
  const std::uint8_t* kinds;  // of the numbers of a u: kFractions, kWhole or kZero
  const double* smallest;  // the smallest |number| of a u that is not 0
  std::size_t width;
};
void products(const CellRows& x, const Directions& directions, double* low, double* high);

// Σ c·x over the rows, by column.
void add_rows(const CellRows& x, const double* factors, double* into);

}  // namespace noregret::certify
