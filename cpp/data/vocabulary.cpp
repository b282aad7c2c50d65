#include "vocabulary.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace noregret {
namespace {

std::uint64_t fresh_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

Vocabulary::Vocabulary(std::size_t most) : most_(most), identity_(fresh_identity()) {
  tables_.push_back(std::make_unique<Table>(4 * kFirstChunk));
  table_.store(tables_.back().get(), std::memory_order_release);
}

Vocabulary::~Vocabulary() = default;

// Memory that nobody has touched costs nothing.
Vocabulary::Numbers Vocabulary::no_numbers() {
  static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
  void* memory = std::calloc(kNumbers + 1, sizeof(std::atomic<std::uint32_t>));
  if (memory == nullptr) throw std::bad_alloc();
  return Numbers(static_cast<std::atomic<std::uint32_t>*>(memory));
}

std::pair<std::size_t, std::size_t> Vocabulary::place(std::size_t column) {
  const auto chunk = static_cast<std::size_t>(std::bit_width(column / kFirstChunk + 1) - 1);
  return {chunk, column - kFirstChunk * ((std::size_t{1} << chunk) - 1)};
}

std::string_view Vocabulary::at(std::size_t column) const {
  const auto [chunk, offset] = place(column);
  return chunks_[chunk][offset];
}

// Nothing else is read because of what is found.
bool Vocabulary::find_numbers(std::int32_t* numbers, std::size_t count) const {
  const std::atomic<std::uint32_t>* columns = numbers_.get();
  std::int32_t missing = 0;
#pragma GCC unroll 8
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t number = std::min(static_cast<std::uint32_t>(numbers[k]), kNumbers);
    numbers[k] = static_cast<std::int32_t>(columns[number].load(std::memory_order_relaxed) - 1);
    missing |= numbers[k];
  }
  return missing >= 0;
}

std::uint32_t Vocabulary::add(const Key& key) {
  const std::uint32_t known = find(key);
  if (known != kUnknown) return known;
  const std::size_t column = size();
  if (column >= most_) return kUnknown;
  const auto [chunk, offset] = place(column);
  if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<std::string_view[]>(kFirstChunk << chunk);
  chunks_[chunk][offset] = {store(key.name), key.name.size()};
  size_.store(column + 1, std::memory_order_release);
  if (key.number != kUnknown) {
    numbers_[key.number].store(static_cast<std::uint32_t>(column + 1), std::memory_order_release);
  } else {
    if (2 * ++entered_ > table_.load(std::memory_order_relaxed)->mask) widen();
    enter(*table_.load(std::memory_order_relaxed), std::uint64_t{key.hash} << 32 | (column + 1), key.word);
  }
  return static_cast<std::uint32_t>(column);
}

void Vocabulary::enter(Table& table, std::uint64_t hash_and_column, std::uint64_t word) {
  std::size_t k = (hash_and_column >> 32) & table.mask;
  while (table.entries[k].hash_and_column.load(std::memory_order_relaxed) != 0) k = (k + 1) & table.mask;
  table.entries[k].word.store(word, std::memory_order_relaxed);
  table.entries[k].hash_and_column.store(hash_and_column, std::memory_order_release);
}

void Vocabulary::widen() {
  const Table& old = *table_.load(std::memory_order_relaxed);
  auto wider = std::make_unique<Table>(2 * (old.mask + 1));
  for (std::size_t k = 0; k <= old.mask; ++k) {
    const std::uint64_t found = old.entries[k].hash_and_column.load(std::memory_order_relaxed);
    if (found != 0) enter(*wider, found, old.entries[k].word.load(std::memory_order_relaxed));
  }
  tables_.push_back(std::move(wider));
  table_.store(tables_.back().get(), std::memory_order_release);
}

const char* Vocabulary::store(std::string_view name) {
  if (name.size() > free_bytes_) {
    free_bytes_ = std::max<std::size_t>(1 << 16, name.size());
    texts_.push_back(std::make_unique<char[]>(free_bytes_));
    free_text_ = texts_.back().get();
  }
  if (!name.empty()) std::memcpy(free_text_, name.data(), name.size());
  const char* stored = free_text_;
  free_text_ += name.size();
  free_bytes_ -= name.size();
  return stored;
}

}  // namespace noregret
