#include "cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../refusal.hpp"
#include "../wide.hpp"

namespace noregret::certify {
namespace {

constexpr double kEpsilon = 0x1p-52;
constexpr double kExact = 0x1p53;
constexpr std::size_t kTogether = 8;  // directions whose sums stay in registers

bool is_whole(double value) { return std::floor(value) == value; }

constexpr double kNoUnderflow = 1e-290;  // from here on a product is a normal double

// How far a sum of products may be off, by their sizes. Products that underflow are off by the smallest double each.
double error_of(std::size_t terms, double size, bool exact, bool underflows) {
  if (exact && size < kExact) return 0.0;
  const double lost = underflows ? std::numeric_limits<double>::denorm_min() * static_cast<double>(terms + 1) : 0.0;
  return (static_cast<double>(terms) + 3.0) * kEpsilon * size + lost;
}

// Sums of `kTogether` directions from `first` on; the sizes of the terms bound what rounding does to them.
NOREGRET_WIDE void add_up(const double* values, const std::int32_t* columns, std::size_t count, const Directions& directions, std::size_t first,
                          double* sums, double* sizes) {
  double sum[kTogether], size[kTogether];
  for (std::size_t k = 0; k < kTogether; ++k) sum[k] = directions.offsets[first + k];
  for (std::size_t k = 0; k < kTogether; ++k) size[k] = std::fabs(sum[k]);
  for (std::size_t c = 0; c < count; ++c) {
    const auto column = static_cast<std::size_t>(columns[c]);
    const double* u = (column < directions.known ? directions.table + column * directions.width : directions.rest) + first;
    const double value = values[c];
    for (std::size_t k = 0; k < kTogether; ++k) {
      const double term = u[k] * value;
      sum[k] += term;
      size[k] += std::fabs(term);
    }
  }
  for (std::size_t k = 0; k < kTogether; ++k) sums[k] = sum[k];
  for (std::size_t k = 0; k < kTogether; ++k) sizes[k] = size[k];
}

}  // namespace

void FeatureColumns::require(FeatureKind kind) {
  if (kind_ == FeatureKind::none) kind_ = kind;
  if (kind_ != kind) throw Refusal("BadInput", "some rounds name their features and some number them; keep to one kind");
}

std::int32_t FeatureColumns::add_index(std::int64_t index) {
  require_index(index);
  require(FeatureKind::index);
  if (index < kDirect) {
    if (static_cast<std::size_t>(index) >= by_index_.size()) by_index_.resize(std::max<std::size_t>(static_cast<std::size_t>(index) + 1, 2 * by_index_.size()), kNone);
    std::int32_t& column = by_index_[static_cast<std::size_t>(index)];
    if (column == kNone) {
      column = static_cast<std::int32_t>(count_++);
      indices_.push_back(index);
    }
    return column;
  }
  const auto [found, is_new] = far_.try_emplace(index, static_cast<std::int32_t>(count_));
  if (is_new) {
    ++count_;
    indices_.push_back(index);
  }
  return found->second;
}

std::int32_t FeatureColumns::add_name(std::string_view name) {
  require(FeatureKind::name);
  const std::uint32_t slot = names_.add(name);
  count_ = names_.size();
  return static_cast<std::int32_t>(slot);
}

// Remembers the columns of a vocabulary that goes on from block to block; a list of names is looked up anew.
void FeatureColumns::look_at(const Block& block) {
  if (!block.columns) return;
  const std::uint64_t now = block.columns.vocabulary != nullptr ? block.columns.vocabulary->identity() : 0;
  if (now == 0 || now != vocabulary_) by_place_.clear();
  vocabulary_ = now;
  by_place_.resize(block.columns.size(), kNone);
}

std::int32_t FeatureColumns::column_of(const Block& block, std::ptrdiff_t cell) {
  if (!block.columns) {
    if (cell >= 0 && static_cast<std::size_t>(cell) < by_index_.size() && by_index_[static_cast<std::size_t>(cell)] != kNone) return by_index_[static_cast<std::size_t>(cell)];
    return add_index(cell);
  }
  if (cell < 0 || static_cast<std::size_t>(cell) >= by_place_.size()) throw Refusal("BadInput", "column " + std::to_string(cell) + " has no name");
  std::int32_t& column = by_place_[static_cast<std::size_t>(cell)];
  if (column == kNone) column = add_name(block.columns[static_cast<std::size_t>(cell)]);
  return column;
}

void FeatureColumns::lay_row(const Block& block, const auto& x, LaidOut& into) {
  const std::size_t begin = into.values.size();
  bool repeated = false;
  for (std::size_t k = 0; k < x.size; ++k) {
    if (!is_there(x, k)) continue;
    const double value = x.value(k);
    if (!std::isfinite(value)) {
      into.values.resize(begin);
      into.columns.resize(begin);
      return;
    }
    if (value == 0.0) continue;
    const std::int32_t column = column_of(block, x.slot(k));
    if (static_cast<std::size_t>(column) >= stamps_.size()) stamps_.resize(std::max<std::size_t>(static_cast<std::size_t>(column) + 1, 2 * stamps_.size()), 0);
    // A stamp from this row is the place of the cell; stamps of earlier rows lie below `begin`, or are of another block and do not fit.
    const auto stamp = static_cast<std::size_t>(stamps_[static_cast<std::size_t>(column)]);
    if (stamp > begin && stamp <= into.values.size() && into.columns[stamp - 1] == column) {
      into.values[stamp - 1] += value;
      repeated = true;
      continue;
    }
    into.values.push_back(value);
    into.columns.push_back(column);
    stamps_[static_cast<std::size_t>(column)] = static_cast<std::int64_t>(into.values.size());
  }
  if (!repeated) return;
  std::size_t kept = begin;  // sums that are 0 are dropped
  for (std::size_t k = begin; k < into.values.size(); ++k) {
    if (into.values[k] == 0.0) continue;
    into.values[kept] = into.values[k];
    into.columns[kept++] = into.columns[k];
  }
  into.values.resize(kept);
  into.columns.resize(kept);
}

LaidOut FeatureColumns::lay(const Block& block, const bool* wanted) {
  LaidOut laid;
  laid.starts.reserve(block.count + 1);
  laid.starts.push_back(0);
  require(block.columns ? FeatureKind::name : FeatureKind::index);
  look_at(block);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t r = 0; r < block.count; ++r) {
          if (!wanted[r]) continue;
          lay_row(block, rows.row(r, false), laid);
          laid.starts.push_back(static_cast<std::int64_t>(laid.values.size()));
        }
      },
      block.rows);
  return laid;
}

void measure(const CellRows& x, double* squares, double* peaks, double* spans) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    double square = 0.0, least = 0.0, most = 0.0;
    bool whole = true;
    for (std::size_t k = x.begin(r); k < x.end(r); ++k) {
      const double value = x.values[k];
      square += value * value;
      least = std::min(least, value);
      most = std::max(most, value);
      whole = whole && is_whole(value);
    }
    squares[r] = square + (x.begin(r) == x.end(r) ? 0.0 : error_of(x.end(r) - x.begin(r), square, whole, true));
    peaks[r] = std::max(-least, most);
    spans[r] = most - least;
  }
}

void products(const CellRows& x, const Directions& directions, double* low, double* high) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::size_t begin = x.begin(r), count = x.end(r) - begin;
    bool whole = true;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = begin; k < begin + count; ++k) {
      whole = whole && is_whole(x.values[k]);
      smallest = std::min(smallest, std::fabs(x.values[k]));
    }
    for (std::size_t first = 0; first < directions.width; first += kTogether) {
      double sums[kTogether], sizes[kTogether];
      add_up(x.values + begin, x.columns + begin, count, directions, first, sums, sizes);
      for (std::size_t k = 0; k < kTogether; ++k) {
        const std::uint8_t kind = directions.kinds[first + k];
        const double error = kind == kZero ? 0.0 : error_of(count, sizes[k], whole && kind == kWhole, smallest * directions.smallest[first + k] < kNoUnderflow);
        low[(first + k) * x.rows + r] = sums[k] - error;
        high[(first + k) * x.rows + r] = sums[k] + error;
      }
    }
  }
}

void add_rows(const CellRows& x, const double* factors, double* into) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const double factor = factors[r];
    if (factor == 0.0) continue;
    for (std::size_t k = x.begin(r); k < x.end(r); ++k) into[x.columns[k]] += factor * x.values[k];
  }
}

}  // namespace noregret::certify
