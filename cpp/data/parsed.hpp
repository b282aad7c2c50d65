// A block of text as sparse rows, whatever the format was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../names.hpp"
#include "column.hpp"

namespace noregret {

class Vocabulary;

// What is wrong with a line, and where. Lines count from 0 at the start of the block, columns from 1.
struct Fault {
  std::int64_t line;
  std::int64_t column;
  std::string token;
  std::string rule;  // what would be right
};

struct Parsed {
  static constexpr std::size_t kSlack = 8;  // that some parsers want behind the last feature

  // `most` is how many features the text can hold at the very most.
  explicit Parsed(std::size_t most) : values(most), indices(most) { starts.push(0); }

  Column<double> labels;   // NaN where there is none
  Column<double> weights;  // empty when every row counts 1
  Column<double> values;
  Column<std::int32_t> indices;
  Column<std::int32_t> starts;
  Column<std::int32_t> lines;   // the line of the block that each row begins on
  Column<std::int64_t> groups;  // the qid of each row, −1 for none; empty when there is none at all
  Column<std::int32_t> label_codes;  // where labels are words: which of label_words, −1 for none
  std::vector<std::string> label_words;
  std::int64_t line_count = 0;

  static constexpr std::size_t kFaultsKept = 5;
  std::vector<Fault> faults;  // the first few
  std::vector<std::int64_t> fault_lines;  // of all
  std::int64_t fault_count() const { return static_cast<std::int64_t>(fault_lines.size()); }

  // Names that the vocabulary did not know when the block was parsed. Feature k, of waiting[j] = k,
  // stands for fresh.at(indices[k]) until settle() gives it a column.
  Names fresh;
  std::vector<std::uint32_t> waiting;

  std::size_t rows() const { return labels.size(); }
  void end_row(double label, double weight, std::int64_t line);
  void blame(std::int64_t line, std::size_t column, std::string_view token, std::string rule);
  // Forgets what was read of a row that is not whole.
  void drop_row();

  // Gives the waiting names their columns, in the order of the file. Names beyond the most that the
  // vocabulary takes are left out; gives how many features that were.
  std::int64_t settle(Vocabulary& vocabulary);
};

}  // namespace noregret
