#include "vw.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "number.hpp"
#include "tokens.hpp"

namespace noregret {
namespace {

constexpr TokenEnds kEnds{' ', '|'};

constexpr const char* kUtf8 = "a name must be UTF-8; if the file is Latin-1, say --encoding latin-1, in Python encoding='latin-1'";

class VwParser {
 public:
  // "a " is the shortest feature.
  VwParser(std::string_view text, Naming& naming) : text_(text), naming_(naming), tokens_(text, kEnds), out_(text.size() / 2 + 1 + Parsed::kSlack) {}

  Parsed parse(bool skip) {
    for (; tokens_.more(); ++line_) {
      line_begin_ = tokens_.begin();
      if (!line()) {
        naming_.answer(out_);
        out_.drop_row();
        if (!skip) break;
      }
      while (tokens_.ended() != '\n') take();
    }
    out_.line_count = line_;
    return std::move(out_);
  }

 private:
  // Without what else ends a line on Windows.
  std::string_view take() {
    std::string_view token = tokens_.take();
    if (tokens_.ended() == '\n' && token.ends_with('\r')) token.remove_suffix(1);
    return token;
  }

  bool line() {
    label_ = std::numeric_limits<double>::quiet_NaN();
    weight_ = 1.0;
    if (!front()) return false;
    if (blank_) return true;
    while (tokens_.ended() == '|') {
      if (!space(take()) || !features()) return false;
    }
    if (!naming_.answer(out_)) return blame(naming_.bad(), kUtf8);
    out_.end_row(label_, weight_, line_);
    return true;
  }

  // What stands before the first bar: label, importance, base and tag, each of which may be absent.
  bool front() {
    static constexpr const char* kRules[] = {
        "a line begins with its label, a number such as 1 or -1, or with the bar of the first feature",
        "behind the label stands its importance, a number that is 0 or more",
        "behind the importance stands the first prediction, a number"};
    blank_ = true;
    for (int part = 0;;) {
      const std::string_view token = take();
      const char end = tokens_.ended();
      blank_ = blank_ && token.empty() && end != '|';
      if (!token.empty() && token.front() != '\'' && end != '|') {
        double number;
        if (part > 2) return blame(token, "before the first bar stand at most a label, an importance, a first prediction and a tag");
        if (!read_number(token, number) || !std::isfinite(number) || (part == 1 && number < 0)) return blame(token, kRules[part]);
        if (part == 0) label_ = number;
        if (part == 1) weight_ = number;
        ++part;
      }
      if (end == '|') return true;
      if (end == '\n') return blank_ || blame(token, "a line has its features behind a bar, such as 1 | height:1.5");
    }
  }

  // The name of a namespace and its scale, behind a bar.
  bool space(std::string_view token) {
    const std::size_t colon = token.find(':');
    scale_ = 1.0;
    prefix_.assign(token.substr(0, colon));
    if (!naming_.takes(prefix_)) return blame(token, kUtf8);
    if (!prefix_.empty()) prefix_ += '^';
    if (colon == token.npos || (read_number(token.substr(colon + 1), scale_) && std::isfinite(scale_))) return true;
    return blame(token, "a namespace is written |name or |name:scale, and the scale is a number");
  }

  bool features() {
    while (!tokens_.stopped()) {
      const std::size_t before = out_.values.size();
      if (scale_ == 1.0 && !usual_features()) return blame(naming_.bad(), kUtf8);
      if (out_.values.size() == before && !feature(take())) return false;
    }
    return true;
  }

  // Features such as 123:0.45, with a short value, one after the other; whatever is different is left to feature(). False when a name is
  // not UTF-8.
  bool usual_features() {
    const auto run = tokens_.take_pairs(text_.size(), false, out_.indices.free(), out_.values.free());
    const std::size_t begin = out_.values.size();
    out_.indices.add(run.count);
    out_.values.add(run.count);
    return naming_.name(out_, prefix_, run, begin);
  }

  bool feature(std::string_view token) {
    if (token.empty()) return true;  // two spaces in a row
    const std::size_t colon = token.find(':');
    if (colon == 0) return blame(token, "a feature has a name: name or name:value");
    double value = 1.0;
    if (colon != token.npos && !read_number(token.substr(colon + 1), value)) {
      return blame(token, "a feature is written name or name:value, and the value is a number");
    }
    if (!std::isfinite(value)) return blame(token, "a value must be a finite number");
    if (!std::isfinite(value * scale_)) return blame(token, "a value times the scale of its namespace must be a finite number");
    return naming_.put(out_, prefix_, token.substr(0, colon), value * scale_) || blame(naming_.bad(), kUtf8);
  }

  bool blame(std::string_view token, const char* rule) {
    out_.blame(line_, static_cast<std::size_t>(token.data() - text_.data()) - line_begin_ + 1, token, rule);
    return false;
  }

  std::string_view text_;
  Naming& naming_;
  Tokens tokens_;
  Parsed out_;
  std::string prefix_;
  double label_ = 0.0, weight_ = 1.0, scale_ = 1.0;
  bool blank_ = false;
  std::size_t line_begin_ = 0;
  std::int64_t line_ = 0;
};

}  // namespace

Parsed parse_vw(std::string_view text, bool skip, Naming naming) { return VwParser(text, naming).parse(skip); }

}  // namespace noregret
