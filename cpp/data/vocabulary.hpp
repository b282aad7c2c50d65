// The names of a stream: the n-th name met in the file is column n, whichever thread parsed it.
//
// One thread adds, in the order of the file; any number of others look up meanwhile, without a lock.
// A name that has a column keeps it, so what they find does not depend on when they look.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "../names.hpp"

namespace noregret {

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
  std::uint32_t find(std::string_view name, std::uint32_t hash) const;
  // Its column, old or new; kUnknown when there are too many names already.
  std::uint32_t add(std::string_view name, std::uint32_t hash);
  std::string_view at(std::size_t column) const;
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  std::size_t most() const { return most_; }
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
  std::atomic<Table*> table_;
  std::vector<std::unique_ptr<Table>> tables_;  // the old ones too: somebody may be looking there
  std::unique_ptr<std::string_view[]> chunks_[kChunks];
  std::vector<std::unique_ptr<char[]>> texts_;
  char* free_text_ = nullptr;
  std::size_t free_bytes_ = 0;
};

}  // namespace noregret
