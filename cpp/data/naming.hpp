// Features with names on their way into a block: to the column that the vocabulary has for them, to
// a place among the names that wait for one, or to a number by the hash.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "hashing.hpp"
#include "parsed.hpp"
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
    Asked& asked = asked_[count_];
    if (!prefix.empty()) name = asked.joined.assign(prefix).append(name);
    if (hash_.on()) {
      out.indices.put(hash_.name(name));
      out.values.put(value);
      return true;
    }
    asked.name = name;
    asked.written = written;
    asked.hash = Names::hash(name);
    asked.at = out.values.size();
    vocabulary_->fetch(asked.hash);
    out.indices.put(0);
    out.values.put(value);
    return ++count_ < kAtOnce || answer(out);
  }
  // Looks up what has been put and not yet been looked up, as the end of a row requires.
  bool answer(Parsed& out);
  // As it stands in the text.
  std::string_view bad() const { return bad_; }

 private:
  // A table of names does not fit into the nearest cache: several are asked for before the first
  // is looked at.
  static constexpr std::size_t kAtOnce = 16;
  struct Asked {
    std::string_view name, written;
    std::uint32_t hash;
    std::size_t at;  // which feature of the block it is
    std::string joined;
  };

  const Vocabulary* vocabulary_;
  Hasher hash_;
  std::array<Asked, kAtOnce> asked_;
  std::size_t count_ = 0;
  std::string_view bad_;
};

}  // namespace noregret
