// The words of a text: runs of letters and digits, in lower case; an apostrophe inside belongs to the
// word. Capitals of the Latin, Greek and Cyrillic alphabets are turned into small letters; beyond
// ASCII everything counts as a letter but spaces, punctuation and symbols of the common blocks.
#pragma once

#include <string>
#include <string_view>

namespace noregret {

class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}
  // The next word; empty at the end. It lives until the next one is asked for.
  std::string_view next();

 private:
  char32_t peek(std::size_t at, std::size_t& length) const;
  void keep(char32_t letter);

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
};

}  // namespace noregret
