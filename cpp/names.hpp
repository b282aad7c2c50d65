// Names to slots: the n-th name met gets slot n. No Python in here, so it works without the GIL.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spelling.hpp"

namespace noregret {

inline constexpr std::uint32_t kUnknown = 0xffffffffu;

class Names {
 public:
  Names();
  // Keyed afresh in every process, so that no file can be written to make names collide.
  static std::uint32_t hash(std::string_view name) { return hash(name, Spelling(name), kKey); }
  // kUnknown when it has not been added.
  std::uint32_t find(std::string_view name, std::uint32_t hash) const { return find(name, Spelling(name), hash); }
  std::uint32_t find(std::string_view name, const Spelling& spelling, std::uint32_t hash) const { return cells_[cell_of(name, spelling, hash)] - 1; }
  // Looking up in steps, for who has many names.
  class Finder;

  // Its slot, old or new.
  std::uint32_t add(std::string_view name) { return add(name, Spelling(name), hash(name)); }
  std::uint32_t add(std::string_view name, const Spelling& spelling, std::uint32_t hash);
  void cut(std::size_t size);  // forgets the last ones that were added
  std::string_view at(std::size_t slot) const {
    const Spelling& spelling = spellings_[slot + 1];
    return spelling.is_long() ? std::string_view(text_.data() + spelling.rest, spelling.size()) : spelling.letters();
  }
  std::size_t size() const { return spellings_.size() - 1; }

 private:
  static const Spelling kKey;
  static std::uint64_t folded(std::uint64_t a, std::uint64_t b, const Spelling& key) {
    const auto product = static_cast<unsigned __int128>(a ^ key.first) * (b ^ key.rest);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }
  static std::uint64_t folded_text(std::string_view name);
  static std::uint32_t hash(std::string_view name, const Spelling& spelling, const Spelling& key) {
    const std::uint64_t rest = spelling.is_long() ? folded_text(name) : spelling.rest;
    return static_cast<std::uint32_t>(folded(spelling.first, rest, key) * 0xc4ceb9fe1a85ec53u >> 32);
  }

  bool is(std::uint32_t slot, std::string_view name, const Spelling& spelling) const {
    const Spelling& known = spellings_[slot + 1];
    return known.is_long() ? known.first == spelling.first && at(slot) == name : known == spelling;
  }
  // Where a name stands, or would stand.
  std::size_t cell_of(std::string_view name, const Spelling& spelling, std::size_t hash) const {
    for (;; ++hash) {
      const std::uint32_t number = cells_[hash & mask_];
      if (number == 0 || is(number - 1, name, spelling)) return hash & mask_;
    }
  }
  void widen();

  std::vector<Spelling> spellings_{Spelling::nobody()};  // by slot + 1; a long one says where it begins in the text
  std::vector<char> text_;
  // Slot + 1 where the hash says, or in the next free cell; 0 is free. A power of two, and three quarters of it are free: the first
  // cell that is looked at nearly always decides.
  std::vector<std::uint32_t> cells_;
  std::size_t mask_;  // its size less 1
};

// It holds what it needs, so that nothing has to be read anew for every name, and is good until a name is added. Guessing asks for the
// memory that is() looks at.
class Names::Finder {
 public:
  explicit Finder(const Names& names)
      : names_(names), spellings_(names.spellings_.data()), cells_(names.cells_.data()), mask_(names.mask_), key_(kKey) {}

  std::uint32_t hash(std::string_view name, const Spelling& spelling) const { return Names::hash(name, spelling, key_); }
  // Asks for the memory that guess() looks at.
  void ask(std::uint32_t hash) const { __builtin_prefetch(cells_ + (hash & mask_)); }
  // kUnknown is no guess.
  std::uint32_t guess(std::uint32_t hash) const {
    const std::uint32_t number = cells_[hash & mask_];
    __builtin_prefetch(spellings_ + number);
    return number - 1;
  }
  // Whether a guess was right. If not, find() knows.
  bool is(std::uint32_t guess, std::string_view name, const Spelling& spelling) const {
    const Spelling& known = spellings_[static_cast<std::uint32_t>(guess + 1)];
    return known.is_long() ? names_.is(guess, name, spelling) : known == spelling;
  }

 private:
  const Names& names_;
  const Spelling* spellings_;
  const std::uint32_t* cells_;
  std::size_t mask_;
  Spelling key_;
};

}  // namespace noregret
