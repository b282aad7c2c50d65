// A version space with everything left out that cannot matter for its dimensions.
#pragma once

#include "finite_class.hpp"

namespace noregret {

// Names a projection in the memo: two independent hashes of its whole content.
struct Fingerprint {
  Word first = 0, second = 0;
  bool operator==(const Fingerprint&) const = default;
};

// Rows are different hypotheses. Columns are the points on which they differ; of points that split
// the rows alike (equal or complementary columns) one is kept, turned so that the first row says 0,
// and the columns are sorted. So version spaces that differ in names alone are one and the same.
class Projection {
 public:
  // `members` must not hold two hypotheses that are equal everywhere.
  Projection(const FiniteClass& all, const Bits& members);

  std::size_t rows() const { return rows_; }
  std::size_t words() const { return words_; }
  std::size_t columns() const { return points_.size(); }
  const Word* column(std::size_t c) const { return bits_.data() + c * words_; }
  std::uint32_t point(std::size_t c) const { return points_[c]; }
  // The value that the first row has at the point of a column: its 0 in this table.
  bool turned(std::size_t c) const { return turned_[c]; }

  // The rows that have `side` in column c.
  Projection side(std::size_t c, bool side) const;
  Fingerprint fingerprint() const;

 private:
  Projection() = default;
  Bits mask(std::size_t c, bool side) const;
  // Takes what is under the mask out of each column, given by its address and its turn.
  template <class Column>
  void fill(const Bits& mask, std::size_t columns, Column column);

  std::size_t rows_ = 0, words_ = 0;
  Bits bits_;
  std::vector<std::uint32_t> points_;
  std::vector<bool> turned_;
};

}  // namespace noregret
