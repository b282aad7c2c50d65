// Names to slots: the n-th name met gets slot n. No Python in here, so it works without the GIL.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "words.hpp"

namespace noregret {

inline constexpr std::uint32_t kUnknown = 0xffffffffu;

class Names {
 public:
  Names();
  // Keyed afresh in every process, so that no file can be written to make names collide.
  static std::uint32_t hash(std::string_view name) {
    std::uint64_t hash = kKey ^ name.size();
    std::size_t at = 0;
    for (; at + 8 <= name.size(); at += 8) hash = mixed(hash, loaded<std::uint64_t>(name.data() + at));
    return ended(hash, last_word(name.data() + at, name.size() - at));
  }
  // Asks for the memory that find() will look at.
  void fetch(std::uint32_t hash) const { __builtin_prefetch(&table_[hash & (table_.size() - 1)]); }
  std::uint32_t find(std::string_view name, std::uint32_t hash) const;  // kUnknown when it has not been added
  std::uint32_t add(std::string_view name) { return add(name, hash(name)); }
  std::uint32_t add(std::string_view name, std::uint32_t hash);  // its slot, old or new
  void cut(std::size_t size);  // forgets the last ones that were added
  std::string_view at(std::size_t slot) const;
  std::size_t size() const { return ends_.size(); }

 private:
  static const std::uint64_t kKey;
  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
  }
  static std::uint32_t ended(std::uint64_t hash, std::uint64_t word) {
    return static_cast<std::uint32_t>(mixed(hash, word ^ kKey) * 0xc4ceb9fe1a85ec53u >> 32);
  }

  // The hash stands beside the slot, so that another name is told apart without being read.
  struct Place {
    std::uint32_t slot = kUnknown;
    std::uint32_t hash = 0;
  };
  std::size_t place(std::string_view name, std::uint32_t hash) const;
  void widen();
  void remove(std::size_t place);

  std::vector<char> text_;
  std::vector<std::size_t> ends_;
  std::vector<Place> table_;  // open addressing, a power of two
};

}  // namespace noregret
