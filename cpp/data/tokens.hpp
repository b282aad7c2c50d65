// A text as tokens with what ends them, found many bytes at a time and ahead of the parser.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text_kernels.hpp"

namespace noregret {

class Tokens {
 public:
  Tokens(std::string_view text, TokenEnds what) : text_(text), what_(what) {
    make_room(std::min(kStretch, text.size()));
    ends_[0] = static_cast<std::uint32_t>(-1);  // the first token begins at 0
  }

  bool more() { return at_ < places_.end_count || search(); }
  // Where the next one begins.
  std::size_t begin() const { return ends_[at_] + 1; }

  // The next one, which may be empty; there is one until the text has ended a line.
  std::string_view take() {
    more();
    const std::size_t first = begin(), end = ends_[at_ + 1];
    while (colon_ < places_.colon_count && colons_[colon_] < end) ++colon_;
    advance(1);
    return text_.substr(first, end - first);
  }
  // What ended the last one; the end of the text ends a line.
  char ended() const { return ends_[at_] < text_.size() ? text_[ends_[at_]] : '\n'; }
  bool stopped() const { return ended() == '\n' || ended() == what_.stop; }

  // Tokens that are written as nearly all are: see ReadPairs.
  struct Run {
    const char* text;
    const std::uint32_t *colons, *ends;
    std::size_t count;
    std::string_view name(std::size_t k) const {
      const std::size_t first = (ends + k)[-1] + 1;
      return {text + first, colons[k] - first};
    }
  };
  // Takes as many of them as follow before a stop, `most` at most; their names as numbers and their values go where there is room for eight
  // more. The names can be looked at until the next call.
  Run take_pairs(std::size_t most, bool only_numbers, std::int32_t* numbers, double* values) {
    more();
    Run run{text_.data(), colons_.data() + colon_, ends_.data() + at_ + 1, 0};
    if (begin() < 9 || run.colons[0] >= run.ends[0]) return run;  // nothing can be read before the text
    const std::size_t up_to = stop_ < places_.stop_count ? stops_[stop_] + 1 : places_.end_count;
    const auto read = [&](bool long_values) {
      run.count = kernels_.pairs[long_values](text_.data(), run.colons, run.ends, std::min(most, up_to - at_), only_numbers, numbers, values);
      return run.count > 0;
    };
    // One long value is seldom alone.
    if (!read(long_values_) && !long_values_) long_values_ = read(true);
    colon_ += run.count;
    advance(run.count);
    return run;
  }

 private:
  static constexpr std::size_t kStretch = 1 << 14;  // what is found in a stretch stays in the nearest cache
  static constexpr std::size_t kSlack = 80;

  void advance(std::size_t count) {
    at_ += count;
    if (stop_ < places_.stop_count && stops_[stop_] < at_) ++stop_;
  }
  void make_room(std::size_t bytes) {
    for (auto* places : {&colons_, &ends_, &stops_}) places->resize(std::max(places->size(), bytes + kSlack));
  }
  bool search();

  std::string_view text_;
  TokenEnds what_;
  const TextKernels& kernels_ = text_kernels();
  std::vector<std::uint32_t> colons_, ends_, stops_;  // ends_[0] is where the token before the first one ended
  Places places_{};
  bool long_values_ = false;
  std::size_t at_ = 0, colon_ = 0, stop_ = 0;  // the next of each
};

}  // namespace noregret
