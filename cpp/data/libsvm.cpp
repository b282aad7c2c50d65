#include "libsvm.hpp"

#include <charconv>
#include <cmath>

#include "../features.hpp"
#include "hashing.hpp"
#include "marks.hpp"
#include "number.hpp"

namespace noregret {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool ends_token(char c) { return is_space(c) || c == '\n' || c == '#'; }

class LibsvmParser {
 public:
  // "1:1 " is the shortest feature, without the space at the end of the text.
  LibsvmParser(std::string_view text, int bits) : text_(text), marks_(text, {}), hash_(bits), out_(text.size() / 4 + 1) {}

  Parsed parse(bool skip) {
    for (line_begin_ = 0; line_begin_ < text_.size(); ++line_) {
      if (!line()) {
        out_.drop_row();
        if (!skip) break;
      }
      while (marks_.ending(mark_) != '\n') mark_ = marks_.next();
      line_begin_ = mark_ + 1;
    }
    out_.line_count = line_;
    return std::move(out_);
  }

 private:
  // One line. Afterwards mark_ is in it or at its end; false when it is at fault.
  bool line() {
    const std::string_view label = token(line_begin_);
    if (label.empty()) return true;  // blank, or only a comment
    double number;
    if (!read_number(label, number) || !std::isfinite(number)) {
      return blame(label, label.find(':') == label.npos ? "a line begins with its label, a number such as 1 or -1"
                                                        : "a line begins with its label, a number such as 1 or -1; this one begins with a feature");
    }
    group_ = -1;
    while (true) {
      usual_features();
      // mark_ is what ended the last token.
      const char end = marks_.ending(mark_);
      if (end == '\n' || end == '#') break;
      if (!feature(mark_ + 1)) return false;
    }
    if (group_ >= 0 || !out_.groups.empty()) {
      while (out_.groups.size() < out_.rows()) out_.groups.push(-1);
      out_.groups.push(group_);
    }
    out_.end_row(number, 1.0, line_);
    return true;
  }

  // Features such as 123:0.45 or 7:-1, an index of at most eight digits and a short value, one after
  // the other: nearly all of every file. Whatever is different is left to feature().
  void usual_features() {
    constexpr std::size_t kMost = 4;  // marks of a feature
    const char* const text = text_.data();
    const std::uint32_t* mark = marks_.found();
    const std::uint32_t* const first = mark;
    const std::size_t found = marks_.found_count();
    const std::uint32_t* const last = mark + (found < kMost ? 0 : found - kMost + 1);
    double* value = out_.values.free();
    std::int32_t* index = out_.indices.free();
    std::size_t before = mark_;
    ShortValues waiting;
    while (mark < last && text[before] == ' ') {
      const std::size_t colon = *mark, length = colon - before - 1;
      if (length - 1 > 7 || text[colon] != ':' || colon < 8) break;
      const ShortValue<true> read(text, colon + 1, mark + 1);
      const char end = text[read.end];
      if (!read.good || (end != ' ' && end != '\n')) break;
      const auto number = static_cast<std::int32_t>(Digits(text + colon, length).number());
      *index++ = hash_.on() ? hash_.number(number) : number;
      if (waiting.full()) value = waiting.write(value);
      waiting.put(read.digits, read.scale);
      mark += 1 + read.used;
      before = read.end;
    }
    mark_ = before;
    marks_.skip(static_cast<std::size_t>(mark - first));
    out_.values.filled_up_to(waiting.write(value));
    out_.indices.filled_up_to(index);
  }

  // Any token; mark_ is what ended the one before.
  [[gnu::noinline]] bool feature(std::size_t begin) {
    std::size_t mark = marks_.next();
    while (!ends_token(marks_.ending(mark))) mark = marks_.next();
    mark_ = mark;
    const std::string_view token = text_.substr(begin, mark - begin);
    if (token.empty()) return true;  // two spaces in a row
    if (token.starts_with("qid:")) return group(token);
    std::int64_t index = 0;
    const char* end = token.data() + token.size();
    const auto [stop, problem] = std::from_chars(token.data(), end, index);
    if (problem == std::errc::result_out_of_range || index < 0 || index > kLargestIndex) {
      return blame(token, "a feature number is from 0 to 2147483646");
    }
    if (problem != std::errc() || stop == end || *stop != ':') return blame(token, "a feature is written index:value, such as 3:0.5");
    double value;
    if (!read_number(token.substr(static_cast<std::size_t>(stop - token.data()) + 1), value)) {
      return blame(token, "a feature is written index:value, and the value is a number, such as 3:0.5");
    }
    if (!std::isfinite(value)) return blame(token, "a value must be a finite number");
    put(index, value);
    return true;
  }

  bool group(std::string_view token) {
    const char* end = token.data() + token.size();
    const auto [stop, problem] = std::from_chars(token.data() + 4, end, group_);
    if (problem == std::errc() && stop == end && group_ >= 0) return true;
    return blame(token, "a query is written qid:number, such as qid:7");
  }

  void put(std::int64_t index, double value) {
    out_.indices.put(hash_.on() ? hash_.number(index) : static_cast<std::int32_t>(index));
    out_.values.put(value);
  }

  // The first token from here on; mark_ is what ends it.
  std::string_view token(std::size_t begin) {
    while (begin < text_.size() && is_space(text_[begin])) ++begin;
    mark_ = marks_.from(begin);
    while (!ends_token(marks_.ending(mark_))) mark_ = marks_.next();
    return text_.substr(begin, mark_ - begin);
  }

  bool blame(std::string_view token, const char* rule) {
    out_.blame(line_, static_cast<std::size_t>(token.data() - text_.data()) - line_begin_ + 1, token, rule);
    return false;
  }

  std::string_view text_;
  Marks<NoDigit> marks_;
  Hasher hash_;
  Parsed out_;
  std::size_t line_begin_ = 0, mark_ = 0;
  std::int64_t line_ = 0, group_ = -1;
};

}  // namespace

Parsed parse_libsvm(std::string_view text, bool skip, int bits) { return LibsvmParser(text, bits).parse(skip); }

}  // namespace noregret
