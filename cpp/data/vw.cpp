#include "vw.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "marks.hpp"
#include "number.hpp"

namespace noregret {
namespace {

constexpr OneOf<6> kMarks{{' ', '\t', '\n', '|', ':', '.'}};

constexpr const char* kUtf8 = "a name must be UTF-8; if the file is Latin-1, say --encoding latin-1";

bool is_space(char c) { return c == ' ' || c == '\t'; }
bool ends_token(char c) { return is_space(c) || c == '\n' || c == '|'; }

class VwParser {
 public:
  // "a " is the shortest feature.
  VwParser(std::string_view text, Naming& naming) : text_(text), naming_(naming), marks_(text, kMarks), out_(text.size() / 2 + 1) {}

  Parsed parse(bool skip) {
    for (line_begin_ = 0; line_begin_ < text_.size(); ++line_) {
      if (!line()) {
        naming_.answer(out_);
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
  bool line() {
    label_ = std::numeric_limits<double>::quiet_NaN();
    weight_ = 1.0;
    if (!front()) return false;
    if (blank_) return true;
    while (marks_.ending(mark_) == '|') {
      if (!space() || !features()) return false;
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
    mark_ = marks_.from(line_begin_);
    std::size_t begin = line_begin_;
    for (int part = 0;; begin = mark_ + 1, mark_ = marks_.next()) {
      while (!ends_token(marks_.ending(mark_))) mark_ = marks_.next();
      const char end = marks_.ending(mark_);
      std::string_view token = text_.substr(begin, mark_ - begin);
      if (end == '\n') token = without_return(token);
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
  bool space() {
    const std::size_t begin = mark_ + 1;
    scale_ = 1.0;
    mark_ = marks_.next();
    while (marks_.ending(mark_) != ':' && !ends_token(marks_.ending(mark_))) mark_ = marks_.next();
    prefix_.assign(text_.substr(begin, mark_ - begin));
    if (marks_.ending(mark_) == '\n') prefix_.resize(without_return(prefix_).size());
    if (!prefix_.empty()) prefix_ += '^';
    if (marks_.ending(mark_) != ':') return true;
    const std::size_t colon = mark_;
    while (!ends_token(marks_.ending(mark_))) mark_ = marks_.next();
    const std::string_view scale = whole(colon + 1);
    if (read_number(scale, scale_) && std::isfinite(scale_)) return true;
    return blame(text_.substr(begin, mark_ - begin), "a namespace is written |name or |name:scale, and the scale is a number");
  }

  bool features() {
    while (true) {
      if (scale_ == 1.0 && !(short_features() && usual_features())) return blame(naming_.bad(), kUtf8);
      if (!is_space(marks_.ending(mark_))) return true;
      if (!feature(mark_ + 1)) return false;
    }
  }

  // Features such as 123:0.45, a name of a few bytes and a short value, one after the other. Names are
  // looked up and values divided many at a time. False when a name is not UTF-8.
  bool short_features() {
    constexpr std::size_t kMost = 3;  // marks of a feature
    const ShortNamer namer(prefix_);
    const char* const text = text_.data();
    const std::uint32_t* mark = marks_.found();
    const std::uint32_t* const first = mark;
    const std::size_t found = marks_.found_count();
    const std::uint32_t* const last = mark + (found < kMost ? 0 : found - kMost + 1);
    std::size_t before = mark_, count = 0;
    ShortName names[Naming::kMostShort];
    ShortValues waiting;
    bool good = true;
    const auto look_up = [&] {
      out_.values.filled_up_to(waiting.write(out_.values.free()));
      good = naming_.put_short(out_, names, count, namer.prefix_size());
      count = 0;
    };
    while (good && mark < last && text[before] == ' ') {
      const std::size_t colon = *mark, length = colon - before - 1;
      if (text[colon] != ':' || !namer.takes(length) || colon < 8) break;
      const ShortValue<false> read(text, colon + 1, mark + 1);
      const char end = text[read.end];
      if (!read.good || (end != ' ' && end != '\n')) break;
      names[count++] = namer.name(text + colon, length);
      waiting.put(read.digits, read.scale);
      if (waiting.full()) look_up();
      mark += 1 + read.used;
      before = read.end;
    }
    if (count > 0) look_up();
    mark_ = before;
    marks_.skip(static_cast<std::size_t>(mark - first));
    return good;
  }

  // The same for names of any length; whatever is different is left to feature().
  bool usual_features() {
    constexpr std::size_t kMost = 3;  // marks of a feature
    const char* const text = text_.data();
    const std::uint32_t* mark = marks_.found();
    const std::uint32_t* const first = mark;
    const std::size_t found = marks_.found_count();
    const std::uint32_t* const last = mark + (found < kMost ? 0 : found - kMost + 1);
    std::size_t before = mark_;
    bool good = true;
    while (good && mark < last && text[before] == ' ') {
      const std::size_t colon = *mark;
      if (text[colon] != ':' || colon == before + 1) break;
      const ShortValue<false> read(text, colon + 1, mark + 1);
      const char end = text[read.end];
      if (!read.good || (end != ' ' && end != '\n')) break;
      const std::string_view name(text + before + 1, colon - before - 1);
      good = naming_.put(out_, prefix_, name, name, static_cast<double>(read.digits) / read.scale);
      mark += 1 + read.used;
      before = read.end;
    }
    mark_ = before;
    marks_.skip(static_cast<std::size_t>(mark - first));
    return good;
  }

  bool feature(std::size_t begin) {
    std::size_t end = marks_.next();
    while (marks_.ending(end) == '.') end = marks_.next();
    mark_ = end;
    if (marks_.ending(end) != ':') return put(begin, whole(begin), 1.0);
    double value;
    if (!read_value(begin, end + 1, value)) return false;
    return put(begin, text_.substr(begin, end - begin), value);
  }

  bool read_value(std::size_t begin, std::size_t first, double& value) {
    mark_ = marks_.next();
    while (!ends_token(marks_.ending(mark_))) mark_ = marks_.next();
    if (!read_number(whole(first), value)) {
      return blame(whole(begin), "a feature is written name or name:value, and the value is a number");
    }
    return std::isfinite(value) || blame(whole(begin), "a value must be a finite number");
  }

  bool put(std::size_t begin, std::string_view name, double value) {
    if (name.empty()) return whole(begin).empty() || blame(whole(begin), "a feature has a name: name or name:value");
    if (!std::isfinite(value * scale_)) return blame(whole(begin), "a value times the scale of its namespace must be a finite number");
    return naming_.put(out_, prefix_, name, name, value * scale_) || blame(naming_.bad(), kUtf8);
  }

  // From `begin` to the mark, without what else ends a line on Windows.
  std::string_view whole(std::size_t begin) const {
    const std::string_view token = text_.substr(begin, mark_ - begin);
    return marks_.ending(mark_) == '\n' ? without_return(token) : token;
  }
  static std::string_view without_return(std::string_view token) {
    if (token.ends_with('\r')) token.remove_suffix(1);
    return token;
  }

  bool blame(std::string_view token, const char* rule) {
    out_.blame(line_, static_cast<std::size_t>(token.data() - text_.data()) - line_begin_ + 1, token, rule);
    return false;
  }

  std::string_view text_;
  Naming& naming_;
  Marks<OneOf<6>> marks_;
  Parsed out_;
  std::string prefix_;
  double label_ = 0.0, weight_ = 1.0, scale_ = 1.0;
  bool blank_ = false;
  std::size_t line_begin_ = 0, mark_ = 0;
  std::int64_t line_ = 0;
};

}  // namespace

Parsed parse_vw(std::string_view text, bool skip, Naming naming) { return VwParser(text, naming).parse(skip); }

}  // namespace noregret
