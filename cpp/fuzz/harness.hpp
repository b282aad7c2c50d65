// What the fuzzing harnesses share: what must hold of every block, whatever the text was.
#pragma once

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "../data/parsed.hpp"
#include "../instructions.hpp"

namespace noregret {

inline void must(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", law);
  std::abort();
}

// What every block of rows obeys.
inline void check_rows(const Parsed& rows) {
  must(rows.starts.size() == rows.rows() + 1 && rows.starts[0] == 0, "a start for every row, and one more");
  must(static_cast<std::size_t>(rows.starts[rows.rows()]) == rows.values.size(), "the last start is the number of values");
  must(rows.values.size() == rows.indices.size(), "a value for every index");
  must(rows.weights.empty() || rows.weights.size() == rows.rows(), "a weight for every row, or none at all");
  must(rows.label_codes.empty() || rows.label_codes.size() == rows.rows(), "a word for every label, or none at all");
  for (std::size_t r = 0; r < rows.rows(); ++r) must(rows.starts[r] <= rows.starts[r + 1], "starts rise");
  for (std::size_t k = 0; k < rows.values.size(); ++k) must(rows.indices[k] >= 0, "indices are not negative");
}

// And what holds of a block that was text.
inline void check(const Parsed& rows, std::string_view text) {
  check_rows(rows);
  must(rows.lines.size() == rows.rows(), "a line for every row");
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    must(!std::isinf(rows.labels[r]), "labels are finite, or missing");
    must(r == 0 || rows.lines[r - 1] < rows.lines[r], "lines rise");
    must(rows.lines[r] >= 0 && rows.lines[r] < rows.line_count, "a line of the text");
  }
  for (std::size_t k = 0; k < rows.values.size(); ++k) must(std::isfinite(rows.values[k]), "values are finite");
  for (const Fault& fault : rows.faults) {
    must(fault.column >= 1 && static_cast<std::size_t>(fault.column) <= text.size() + 1, "a column of the text");
    must(!fault.rule.empty(), "a fault says what would be right");
  }
  must(rows.fault_count() >= static_cast<std::int64_t>(rows.faults.size()), "every fault is counted");
}

inline bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b)); }

inline void must_be_same(const Parsed& one, const Parsed& other) {
  must(one.rows() == other.rows() && one.values.size() == other.values.size() && one.fault_count() == other.fault_count(), "as many rows, features and faults");
  for (std::size_t r = 0; r < one.rows(); ++r) must(same(one.labels[r], other.labels[r]) && one.starts[r] == other.starts[r], "the same labels");
  for (std::size_t k = 0; k < one.values.size(); ++k) must(same(one.values[k], other.values[k]) && one.indices[k] == other.indices[k], "the same features");
}

// All instructions of this processor give the same rows.
inline void check_kernels(std::string_view text, const std::function<Parsed(std::string_view)>& parse) {
  choose_instructions("plain");
  const Parsed plain = parse(text);
  choose_instructions(instruction_names().back());
  must_be_same(plain, parse(text));
}

// Text that is cut between two lines gives the rows of the whole. `parse` passes over bad lines and
// hashes names, so that a block does not depend on the one before.
inline void check_cut(std::string_view text, const std::function<Parsed(std::string_view)>& parse) {
  const std::size_t cut = text.find('\n', text.size() / 2);
  if (cut == text.npos) return;
  const Parsed whole = parse(text), parts[] = {parse(text.substr(0, cut + 1)), parse(text.substr(cut + 1))};
  must(whole.rows() == parts[0].rows() + parts[1].rows(), "as many rows in the parts as in the whole");
  must(whole.values.size() == parts[0].values.size() + parts[1].values.size(), "as many values");
  must(whole.fault_count() == parts[0].fault_count() + parts[1].fault_count(), "as many faults");
  std::size_t r = 0, k = 0;
  for (const Parsed& part : parts) {
    for (std::size_t row = 0; row < part.rows(); ++row) must(same(whole.labels[r++], part.labels[row]), "the same labels");
    for (std::size_t at = 0; at < part.values.size(); ++at, ++k) {
      must(same(whole.values[k], part.values[at]) && whole.indices[k] == part.indices[at], "the same features");
    }
  }
}

}  // namespace noregret
