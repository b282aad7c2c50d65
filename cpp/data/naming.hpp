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

// A name of one to seven bytes as one word, as a Key has it: the first byte lowest, the length highest.
struct ShortName {
  static constexpr std::size_t kMost = 7;
  std::uint64_t word;
  const char* end;  // where it stands in the text

  std::size_t size() const { return word >> 56; }
  std::uint64_t letters() const { return word & 0x00ffffffffffffffu; }
};

// Makes short names of what stands behind the same prefix.
class ShortNamer {
 public:
  explicit ShortNamer(std::string_view prefix) : size_(prefix.size()), letters_(takes(1) ? last_word(prefix.data(), size_) : 0) {}
  // Whether a name of `length` bytes, behind the prefix, is short.
  bool takes(std::size_t length) const { return length - 1 < ShortName::kMost && length + size_ <= ShortName::kMost; }
  // Eight bytes before `end` must be readable.
  ShortName name(const char* end, std::size_t length) const {
    const std::uint64_t letters = loaded<std::uint64_t>(end - 8) >> (64 - 8 * length);
    return {letters_ | letters << 8 * size_ | std::uint64_t{length + size_} << 56, end};
  }
  std::size_t prefix_size() const { return size_; }

 private:
  std::size_t size_;
  std::uint64_t letters_;
};

class Naming {
 public:
  // `vocabulary` may be null when names are hashed.
  Naming(const Vocabulary* vocabulary, int bits) : vocabulary_(vocabulary), hash_(bits) {}

  // Adds a feature for which there is room; it is called `prefix` and `name`. `written` is where it
  // stands in the text. False when some name that was put lately is not UTF-8: see bad().
  bool put(Parsed& out, std::string_view prefix, std::string_view name, std::string_view written, double value) {
    if (!prefix.empty()) name = joined_[count_].assign(prefix).append(name);
    if (hash_.on()) {
      out.indices.put(hash_.name(name));
      out.values.put(value);
      return true;
    }
    Asked& asked = asked_[count_];
    asked = {Key(name), written, out.values.size()};
    vocabulary_->fetch(asked.key.hash);
    out.indices.put(0);
    out.values.put(value);
    return ++count_ < kAtOnce || answer(out);
  }
  // Looks up short names and adds them; their values are added by the caller. False as in put().
  bool put_short(Parsed& out, const ShortName* names, std::size_t count, std::size_t prefix_size);
  static constexpr std::size_t kMostShort = 64;  // at once
  // Looks up what has been put and not yet been looked up, as the end of a row requires.
  bool answer(Parsed& out);
  // As it stands in the text.
  std::string_view bad() const { return bad_; }

 private:
  // A table of names does not fit into the nearest cache: several are asked for before the first
  // is looked at.
  static constexpr std::size_t kAtOnce = 16;
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
