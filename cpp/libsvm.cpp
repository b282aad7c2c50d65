#include "libsvm.hpp"

#include <charconv>
#include <cmath>

#include "features.hpp"

namespace noregret {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// The whole of `text` as a number. Takes what Python's float takes of plain decimal notation.
bool read_number(std::string_view text, double& number) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text.empty() || text.front() == '+') return false;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc::result_out_of_range) {
    // from_chars does not say which way; Python takes 1e-400 as 0 and 1e400 as infinity.
    number = std::strtod(std::string(text).c_str(), nullptr);
    return stop == end;
  }
  return problem == std::errc() && stop == end;
}

class Line {
 public:
  Line(std::string_view text, ParsedRows& out) : text_(text), out_(out) {}

  // False when the line is at fault; out.fault says how.
  bool parse() {
    const std::string_view label = next();
    if (label.empty()) return true;  // blank, or only a comment
    double number;
    if (!read_number(label, number) || !std::isfinite(number)) {
      return blame(label, label.find(':') == label.npos ? "a line begins with its label, a number such as 1 or -1"
                                                        : "a line begins with its label, a number such as 1 or -1; this one begins with a feature");
    }
    for (std::string_view token = next(); !token.empty(); token = next()) {
      if (token.starts_with("qid:")) continue;
      if (!feature(token)) return false;
    }
    out_.labels.push_back(number);
    out_.starts.push_back(static_cast<std::int32_t>(out_.values.size()));
    return true;
  }

 private:
  std::string_view next() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '#') at_ = text_.size();
    if (at_ == text_.size()) return {};
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '#') ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool feature(std::string_view token) {
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
    out_.indices.push_back(static_cast<std::int32_t>(index));
    out_.values.push_back(value);
    return true;
  }

  bool blame(std::string_view token, const char* rule) {
    out_.fault = rule;
    out_.token = std::string(token.substr(0, 60));
    out_.fault_column = static_cast<std::int64_t>(token.data() - text_.data()) + 1;
    return false;
  }

  std::string_view text_;
  ParsedRows& out_;
  std::size_t at_ = 0;
};

}  // namespace

ParsedRows parse_libsvm(std::string_view text, std::int64_t first_line) {
  ParsedRows out;
  std::int64_t line = first_line;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    std::size_t end = text.find('\n', begin);
    if (end == text.npos) end = text.size();
    const std::size_t filled = out.values.size(), rows = out.labels.size();
    if (!Line(text.substr(begin, end - begin), out).parse()) {
      out.fault_line = line;
      out.values.resize(filled);
      out.indices.resize(filled);
      break;
    }
    if (out.labels.size() > rows) out.lines.push_back(line);
    begin = end + 1;
  }
  out.line_count = line - first_line;
  return out;
}

}  // namespace noregret
