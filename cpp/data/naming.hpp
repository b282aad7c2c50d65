// Features with names on their way into a block: to the column that the vocabulary has for them, to
// a place among the names that wait for one, or to a number by the hash.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "hashing.hpp"
#include "parsed.hpp"
#include "tokens.hpp"
#include "vocabulary.hpp"

namespace noregret {

// Whether bytes are UTF-8 as the standard has it: no detours, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

class Naming {
 public:
  // `vocabulary` may be null when names are hashed.
  Naming(const Vocabulary* vocabulary, int bits) : vocabulary_(vocabulary), hash_(bits) {}

  // Adds a feature for which there is room; it is called `prefix` and `name`. `written` is where it
  // stands in the text. False when some name that was put lately is not UTF-8: see bad().
  bool put(Parsed& out, std::string_view prefix, std::string_view name, std::string_view written, double value) {
    out.indices.put(0);
    out.values.put(value);
    return ask(out, prefix, name, written, out.values.size() - 1);
  }
  bool put(Parsed& out, std::string_view prefix, std::string_view name, double value) { return put(out, prefix, name, name, value); }
  // Names the features from `begin` on, whose indices are what the run says of their names. False as in put().
  bool name(Parsed& out, std::string_view prefix, const Tokens::Run& run, std::size_t begin);
  // Looks up what has been put and not yet been looked up, as the end of a row requires.
  bool answer(Parsed& out);
  // Whether a name may have this in it; where names are hashed, it may be anything.
  bool takes(std::string_view text) const { return hash_.on() || is_utf8(text); }
  // As it stands in the text.
  std::string_view bad() const { return bad_; }

 private:
  // A table of names does not fit into the nearest cache: several are asked for before the first
  // is looked at.
  static constexpr std::size_t kAtOnce = 16;
  // Sees to it that feature number `at` of the block gets its column.
  bool ask(Parsed& out, std::string_view prefix, std::string_view name, std::string_view written, std::size_t at) {
    if (!prefix.empty()) name = joined_[count_].assign(prefix).append(name);
    if (hash_.on()) {
      out.indices[at] = hash_.name(name);
      return true;
    }
    asked_[count_] = {Key(name), written, at};
    vocabulary_->fetch(asked_[count_].key.hash);
    return ++count_ < kAtOnce || answer(out);
  }
  bool wait(Parsed& out, std::string_view name, std::uint32_t hash, std::size_t at);
  struct Asked {
    Key key;
    std::string_view written;
    std::size_t at = 0;  // which feature of the block it is
  };

  const Vocabulary* vocabulary_;
  Hasher hash_;
  std::array<Asked, kAtOnce> asked_;
  std::array<std::string, kAtOnce> joined_;
  std::size_t count_ = 0;
  std::string_view bad_;
};

}  // namespace noregret
