#include "csv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "marks.hpp"
#include "number.hpp"
#include "words.hpp"

namespace noregret {
namespace {

using CsvMarks = Marks<OneOf<3>>;

constexpr const char* kUtf8 = "text must be UTF-8; if the file is Latin-1, say --encoding latin-1, in Python encoding='latin-1'";

std::string_view trimmed(std::string_view cell) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!cell.empty() && is_space(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && is_space(cell.back())) cell.remove_suffix(1);
  return cell;
}

// A short cell in lower case: the words that mean something are written in any.
class Lower {
 public:
  static constexpr std::size_t kMost = 5;
  explicit Lower(std::string_view cell) : size_(cell.size()) {
    for (std::size_t k = 0; k < size_; ++k) bytes_[k] = static_cast<char>(cell[k] | (cell[k] >= 'A' && cell[k] <= 'Z' ? 0x20 : 0));
  }
  bool is(std::string_view word) const { return std::string_view(bytes_, size_) == word; }

 private:
  char bytes_[kMost] = {};
  std::size_t size_;
};

bool is_missing(std::string_view cell) {
  if (cell.empty()) return true;
  if (cell.size() > 4 || (cell[0] >= '0' && cell[0] <= '9')) return false;
  const Lower word(cell);
  return word.is("?") || word.is("na") || word.is("n/a") || word.is("nan") || word.is("null") || word.is("none");
}

// A truth is a number, as it is in the formats that have a type for it: true is 1 and false is 0.
bool read_truth(std::string_view cell, double& number) {
  if (cell.size() < 4 || cell.size() > Lower::kMost) return false;
  const Lower word(cell);
  number = word.is("true");
  return number == 1.0 || word.is("false");
}

// Between tabs a quote is a character like any other: there is no other way to write one.
bool has_quotes(char separator) { return separator != '\t'; }

CsvMarks marks_of(std::string_view text, char separator) {
  return {text, {{separator, '\n', has_quotes(separator) ? '"' : '\n'}}};
}

class CsvParser {
 public:
  // "1," is the shortest cell that holds something, "a " the shortest word.
  CsvParser(std::string_view text, const TableShape& shape, Naming& naming)
      : text_(text), shape_(shape), naming_(naming), quotes_(has_quotes(shape.separator)), marks_(marks_of(text, shape.separator)), out_(text.size() / 2 + 1) {}

  Parsed parse(bool skip) {
    mark_ = marks_.next();
    for (begin_ = 0; begin_ < text_.size();) {
      const std::int64_t first_line = line_;
      if (!row(first_line)) {
        naming_.answer(out_);
        out_.drop_row();
        if (!skip) break;
        if (unclosed_) {
          go_to_line_end();
        } else {
          while (!at_end()) next_cell();
        }
      }
      begin_ = line_begin_ = mark_ + 1;
      ++line_;
      mark_ = marks_.next();
    }
    out_.line_count = line_;
    if (!words_) out_.label_codes = {};
    for (std::size_t k = 0; words_ && k < label_names_.size(); ++k) out_.label_words.emplace_back(label_names_.at(k));
    return std::move(out_);
  }

 private:
  bool at_end() const { return marks_.ending(mark_) == '\n'; }

  bool row(std::int64_t first_line) {
    label_ = std::numeric_limits<double>::quiet_NaN();
    weight_ = 1.0;
    label_code_ = -1;
    const std::size_t wanted = shape_.columns.size();
    std::size_t count = 0;
    for (;; ++count) {
      const char ended = marks_.ending(mark_);
      if (ended != '"' && count < wanted && usual_number(shape_.columns[count])) {
        if (ended == '\n') break;
        begin_ = mark_ + 1;
        mark_ = marks_.next();  // if that is a quote, whoever reads the cell sees it
        continue;
      }
      if (!read_cell()) return false;
      if (count == 0 && at_end() && trimmed(cell_).empty() && !quoted_ && wanted > 1) return true;  // a blank line
      if (count < wanted && !use(shape_.columns[count])) return false;
      if (at_end()) break;
      next_cell();
    }
    if (++count != wanted) {
      return blame(trimmed(written()), "a row has " + std::to_string(wanted) + " cells, and this one has " + std::to_string(count));
    }
    if (!naming_.answer(out_)) return blame(naming_.bad(), kUtf8);
    out_.label_codes.push(label_code_);
    out_.end_row(label_, weight_, first_line);
    return true;
  }

  // Goes to the cell behind the mark.
  void next_cell() {
    begin_ = mark_ + 1;
    mark_ = marks_.next();
    if (!opens_quote()) skip_quotes();
  }
  bool opens_quote() const { return quotes_ && begin_ < text_.size() && text_[begin_] == '"'; }
  // A quote in the middle of a cell is a character like any other.
  void skip_quotes() {
    while (marks_.ending(mark_) == '"') mark_ = marks_.next();
  }

  // A quote that nobody closes would take all that follows: the line that it stands in ends with that line.
  void go_to_line_end() {
    unclosed_ = false;
    marks_.go_to(std::min(text_.find('\n', begin_), text_.size()));
    mark_ = marks_.next();
  }

  // Finds the end of the cell that begins at begin_; cell_ is what it says.
  bool read_cell() {
    quoted_ = opens_quote();
    if (!quoted_) {
      skip_quotes();
      cell_ = text_.substr(begin_, mark_ - begin_);
      return true;
    }
    std::size_t from = begin_ + 1;
    bool plain = true;
    const std::int64_t line = line_;
    const std::size_t line_begin = line_begin_;
    while (true) {
      mark_ = marks_.next();
      if (mark_ >= text_.size()) {
        line_ = line;
        line_begin_ = line_begin;
        unclosed_ = true;
        return blame(text_.substr(begin_, text_.find('\n', begin_) - begin_), "a quote that opens a cell must be closed");
      }
      if (text_[mark_] == '\n') {
        ++line_;
        line_begin_ = mark_ + 1;
      }
      if (text_[mark_] != '"') continue;
      if (mark_ + 1 < text_.size() && text_[mark_ + 1] == '"') {
        if (plain) joined_.clear();
        joined_.append(text_.substr(from, mark_ + 1 - from));
        plain = false;
        mark_ = marks_.next();
        from = mark_ + 1;
        continue;
      }
      break;
    }
    cell_ = text_.substr(from, mark_ - from);
    if (!plain) cell_ = joined_.append(cell_);
    const std::size_t behind = mark_ + 1;
    mark_ = marks_.next();
    if (trimmed(text_.substr(behind, mark_ - behind)).empty() && marks_.ending(mark_) != '"') return true;
    skip_quotes();
    return blame(text_.substr(begin_, mark_ - begin_), "behind the quote that closes a cell comes a separator or the end of the line; a quote inside is written twice");
  }

  // A cell with nothing but a short number, as nearly all of a column of numbers have; whatever is different is left to use().
  bool usual_number(const TableColumn& column) {
    double value;
    if (column.kind != ColumnKind::number || mark_ < 8) return false;
    if (!read_short_number(text_.data() + mark_, mark_ - begin_, value)) return false;
    put(column, value);
    return true;
  }

  bool use(const TableColumn& column) {
    if (column.kind == ColumnKind::drop) return true;
    if (column.kind == ColumnKind::text) return use_text(column);
    const std::string_view cell = trimmed(cell_);
    if (is_missing(cell)) return true;
    switch (column.kind) {
      case ColumnKind::number: return use_number(column, cell);
      case ColumnKind::label: return use_label(cell);
      case ColumnKind::weight:
        if (read_number(cell, weight_) && std::isfinite(weight_) && weight_ >= 0) return true;
        return blame(cell, "column '" + column.name + "' is the importance of a row, a number that is 0 or more");
      default: return naming_.put(out_, column.prefix, cell, written(), 1.0) || blame(naming_.bad(), kUtf8);
    }
  }

  bool use_number(const TableColumn& column, std::string_view cell) {
    double value;
    const bool is_number = read_number(cell, value) ? std::isfinite(value) : read_truth(cell, value);
    if (!is_number) return blame(cell, "column '" + column.name + "' holds finite numbers");
    put(column, value);
    return true;
  }

  void put(const TableColumn& column, double value) {
    out_.indices.put(column.feature);
    out_.values.put(value);
  }

  bool use_label(std::string_view cell) {
    if (!is_utf8(cell)) return blame(cell, kUtf8);
    words_ = !(read_number(cell, label_) && std::isfinite(label_)) || words_;
    if (!std::isfinite(label_)) label_ = std::numeric_limits<double>::quiet_NaN();
    label_code_ = static_cast<std::int32_t>(label_names_.add(cell));
    return true;
  }

  bool use_text(const TableColumn& column) {
    WordReader words(cell_);
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      if (!naming_.put(out_, column.prefix, word, written(), 1.0)) return blame(naming_.bad(), kUtf8);
    }
    return true;
  }

  // The cell as it stands in the text, quotes and all.
  std::string_view written() const { return text_.substr(begin_, mark_ - begin_); }

  bool blame(std::string_view token, std::string rule) {
    const bool inside = token.data() >= text_.data() + line_begin_ && token.data() <= text_.data() + text_.size();
    const std::size_t at = inside ? static_cast<std::size_t>(token.data() - text_.data()) : begin_;
    out_.blame(line_, at >= line_begin_ ? at - line_begin_ + 1 : 1, token, std::move(rule));
    return false;
  }

  std::string_view text_;
  const TableShape& shape_;
  Naming& naming_;
  bool quotes_;
  CsvMarks marks_;
  Parsed out_;
  Names label_names_;
  bool words_ = false, quoted_ = false, unclosed_ = false;
  double label_ = 0.0, weight_ = 1.0;
  std::int32_t label_code_ = -1;
  std::string_view cell_;
  std::string joined_;
  std::size_t begin_ = 0, mark_ = 0, line_begin_ = 0;
  std::int64_t line_ = 0;
};

}  // namespace

Parsed parse_csv(std::string_view text, const TableShape& shape, bool skip, Naming naming) {
  return CsvParser(text, shape, naming).parse(skip);
}

std::size_t csv_cut(std::string_view text, char separator) {
  if (!has_quotes(separator) || text.find('"') == text.npos) return text.rfind('\n') + 1;
  CsvMarks marks = marks_of(text, separator);
  bool inside = false;
  std::size_t cut = 0, cell = 0;
  for (std::size_t mark = marks.next(); mark < text.size(); mark = marks.next()) {
    if (text[mark] == '"') {
      if (inside) {
        inside = mark + 1 < text.size() && text[mark + 1] == '"';
        if (inside) mark = marks.next();
      } else {
        inside = mark == cell;
      }
    } else if (!inside) {
      cell = mark + 1;
      if (text[mark] == '\n') cut = cell;
    }
  }
  return cut;
}

}  // namespace noregret
