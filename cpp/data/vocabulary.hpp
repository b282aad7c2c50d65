// The names of a stream: the n-th name met in the file is column n, whichever thread parsed it.
//
// One thread adds, in the order of the file; any number of others look up meanwhile, without a lock.
// A name that has a column keeps it, so what they find does not depend on when they look.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "../names.hpp"
#include "../words.hpp"
#include "number.hpp"

namespace noregret {

// Numbers below this have a place of their own in a vocabulary, which needs no hash.
inline constexpr std::uint32_t kNumbers = 1u << 20;

// What a name of one to seven letters (first byte lowest) says if it is a number below kNumbers written as
// usual, without a 0 in front; else kUnknown.
inline std::uint32_t number_of(std::uint64_t letters, std::size_t size) {
  constexpr std::uint32_t kLeast[8] = {0, 0, 10, 100, 1000, 10000, 100000, 1000000};
  const Digits digits(letters << (64 - 8 * size), size);
  const auto number = static_cast<std::uint32_t>(digits.number());
  return digits.are_digits() && number >= kLeast[size] && number < kNumbers ? number : kUnknown;
}

// A name with all that is needed to look it up, computed once.
struct Key {
  std::string_view name;
  std::uint32_t hash;
  std::uint64_t word;
  std::uint32_t number;  // if it is one, kUnknown if not

  explicit Key(std::string_view name = {}) : name(name), hash(Names::hash(name)), word(word_of(name)), number(number_in(name, word)) {}

 private:
  static std::uint32_t number_in(std::string_view name, std::uint64_t word) {
    if (name.empty() || name.size() > 7 || static_cast<unsigned char>(name.front() - '0') > 9) return kUnknown;
    return number_of(word & ~std::uint64_t{0} >> 8, name.size());
  }
  // A name of up to eight bytes as one number, so that it is compared without being fetched; 0 for a
  // name that does not fit. The eighth byte of a shorter one holds its length.
  static std::uint64_t word_of(std::string_view name) {
    if (name.size() < 8) return last_word(name.data(), name.size()) | std::uint64_t{name.size()} << 56;
    if (name.size() > 8) return 0;
    const auto word = loaded<std::uint64_t>(name.data());
    return word >> 56 < 8 ? 0 : word;
  }
};

class Vocabulary {
 public:
  explicit Vocabulary(std::size_t most);
  ~Vocabulary();
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  // Asks for the memory that find() will look at.
  void fetch(std::uint32_t hash) const {
    const Table& table = *table_.load(std::memory_order_acquire);
    __builtin_prefetch(&table.entries[hash & table.mask]);
  }
  // kUnknown when the name has no column (yet).
  std::uint32_t find(const Key& key) const {
    if (key.number != kUnknown) return numbers_[key.number].load(std::memory_order_acquire) - 1;
    const Table& table = *table_.load(std::memory_order_acquire);
    for (std::size_t k = key.hash & table.mask;; k = (k + 1) & table.mask) {
      const Entry& entry = table.entries[k];
      const std::uint64_t found = entry.hash_and_column.load(std::memory_order_acquire);
      if (found == 0) return kUnknown;
      if (found >> 32 != key.hash || entry.word.load(std::memory_order_relaxed) != key.word) continue;
      const auto column = static_cast<std::uint32_t>(found) - 1;
      if (key.word != 0 || at(column) == key.name) return column;
    }
  }
  // Puts columns in place of names that are these numbers, written as usual, and −1 where there is none (yet). Whether all have one.
  bool find_numbers(std::int32_t* numbers, std::size_t count) const;
  // Its column, old or new; kUnknown when there are too many names already.
  std::uint32_t add(const Key& key);
  std::string_view at(std::size_t column) const;
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  // Tells this vocabulary from every other of the process.
  std::uint64_t identity() const { return identity_; }

 private:
  // A place of the table. The word is written first; whoever sees the rest sees it too.
  struct Entry {
    std::atomic<std::uint64_t> hash_and_column{0};  // column + 1; 0 is free
    std::atomic<std::uint64_t> word{0};             // the name itself, if it is short
  };
  struct Table {
    explicit Table(std::size_t places) : mask(places - 1), entries(new Entry[places]()) {}
    std::size_t mask;
    std::unique_ptr<Entry[]> entries;
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  using Numbers = std::unique_ptr<std::atomic<std::uint32_t>[], Free>;
  static Numbers no_numbers();
  void widen();
  static void enter(Table& table, std::uint64_t hash_and_column, std::uint64_t word);
  const char* store(std::string_view name);

  // Columns stand in chunks, each twice as long as the one before, which never move.
  static constexpr std::size_t kFirstChunk = 1024;
  static constexpr std::size_t kChunks = 32;
  static std::pair<std::size_t, std::size_t> place(std::size_t column);

  const std::size_t most_;
  const std::uint64_t identity_;
  std::atomic<std::size_t> size_{0};
  std::size_t entered_ = 0;  // names in the table
  std::atomic<Table*> table_;
  Numbers numbers_ = no_numbers();  // column + 1; 0 is none, and so is what stands behind the last
  std::vector<std::unique_ptr<Table>> tables_;  // the old ones too: somebody may be looking there
  std::unique_ptr<std::string_view[]> chunks_[kChunks];
  std::vector<std::unique_ptr<char[]>> texts_;
  char* free_text_ = nullptr;
  std::size_t free_bytes_ = 0;
};

}  // namespace noregret
