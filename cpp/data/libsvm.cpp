#include "libsvm.hpp"

#include <charconv>
#include <cmath>

#include "../features.hpp"
#include "hashing.hpp"
#include "number.hpp"
#include "tokens.hpp"

namespace noregret {
namespace {

constexpr TokenEnds kEnds{'\r', '#'};

class LibsvmParser {
 public:
  // "1:1 " is the shortest feature, without the space at the end of the text.
  LibsvmParser(std::string_view text, int bits) : text_(text), tokens_(text, kEnds), hash_(bits), out_(text.size() / 4 + 1 + Parsed::kSlack) {}

  Parsed parse(bool skip) {
    for (; tokens_.more(); ++line_) {
      line_begin_ = tokens_.begin();
      if (!line()) {
        out_.drop_row();
        if (!skip) break;
      }
      while (tokens_.ended() != '\n') tokens_.take();
    }
    out_.line_count = line_;
    return std::move(out_);
  }

 private:
  // One line, up to a comment; false when it is at fault.
  bool line() {
    std::string_view label = tokens_.take();
    while (label.empty() && !tokens_.stopped()) label = tokens_.take();
    if (label.empty()) return true;  // blank, or only a comment
    double number;
    if (!read_number(label, number) || !std::isfinite(number)) {
      return blame(label, label.find(':') == label.npos ? "a line begins with its label, a number such as 1 or -1"
                                                        : "a line begins with its label, a number such as 1 or -1; this one begins with a feature");
    }
    group_ = -1;
    while (!tokens_.stopped()) {
      if (!usual_features() && !feature(tokens_.take())) return false;
    }
    if (group_ >= 0 || !out_.groups.empty()) {
      while (out_.groups.size() < out_.rows()) out_.groups.push(-1);
      out_.groups.push(group_);
    }
    out_.end_row(number, 1.0, line_);
    return true;
  }

  // Nearly all of every file; whatever is different is left to feature(). False when there is none.
  bool usual_features() {
    std::int32_t* const indices = out_.indices.free();
    const std::size_t count = tokens_.take_pairs(text_.size(), true, indices, out_.values.free()).count;
    for (std::size_t k = 0; hash_.on() && k < count; ++k) indices[k] = hash_.number(indices[k]);
    out_.indices.add(count);
    out_.values.add(count);
    return count > 0;
  }

  bool feature(std::string_view token) {
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
    out_.indices.put(hash_.on() ? hash_.number(index) : static_cast<std::int32_t>(index));
    out_.values.put(value);
    return true;
  }

  bool group(std::string_view token) {
    const char* end = token.data() + token.size();
    const auto [stop, problem] = std::from_chars(token.data() + 4, end, group_);
    if (problem == std::errc() && stop == end && group_ >= 0) return true;
    return blame(token, "a query is written qid:number, such as qid:7");
  }

  bool blame(std::string_view token, const char* rule) {
    out_.blame(line_, static_cast<std::size_t>(token.data() - text_.data()) - line_begin_ + 1, token, rule);
    return false;
  }

  std::string_view text_;
  Tokens tokens_;
  Hasher hash_;
  Parsed out_;
  std::size_t line_begin_ = 0;
  std::int64_t line_ = 0, group_ = -1;
};

}  // namespace

Parsed parse_libsvm(std::string_view text, bool skip, int bits) { return LibsvmParser(text, bits).parse(skip); }

}  // namespace noregret
