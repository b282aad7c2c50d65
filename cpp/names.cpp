#include "names.hpp"

#include <bit>
#include <random>

namespace noregret {

const Spelling Names::kKey = [] {
  std::random_device device;
  const auto word = [&device] { return static_cast<std::uint64_t>(device()) << 32 ^ device(); };
  return Spelling(word() ^ 0x9e3779b97f4a7c15u, word());
}();

Names::Names() : table_(8), mask_(7) {}

std::uint64_t Names::folded_text(std::string_view name) {
  std::uint64_t folds = 0;
  for (std::size_t at = 0; at + 8 < name.size(); at += 8) folds = folded(folds, loaded<std::uint64_t>(name.data() + at));
  return folded(folds, loaded<std::uint64_t>(name.data() + name.size() - 8));
}

std::uint32_t Names::find(std::string_view name, const Spelling& spelling, std::uint32_t hash) const {
  for (std::size_t at = hash;; ++at) {
    const Bucket& bucket = bucket_of(at);
    if (bucket.number(hash) == 0 && !bucket.is_full()) return kUnknown;
    for (std::uint32_t k = 0; k < bucket.taken(); ++k) {
      const std::uint32_t slot = bucket.numbers[k / 4][k % 4] - 1;
      if (bucket.hashes[k / 4][k % 4] == hash && is(slot, name, spelling)) return slot;
    }
    if (!bucket.is_full()) return kUnknown;
  }
}

std::uint32_t Names::add(std::string_view name, std::uint32_t hash) {
  Spelling spelling(name);
  const std::uint32_t known = find(name, spelling, hash);
  if (known != kUnknown) return known;
  if (8 * table_.size() < 2 * (size() + 1)) widen();
  if (spelling.is_long()) {
    spelling.first = text_.size();
    text_.insert(text_.end(), name.begin(), name.end());
  }
  hashes_.reserve(std::bit_ceil(size() + 1));  // so that nothing fails once the spelling is there
  spellings_.push_back(spelling);
  hashes_.push_back(hash);
  const auto slot = static_cast<std::uint32_t>(size() - 1);
  enter(slot);
  return slot;
}

void Names::enter(std::uint32_t slot) {
  std::size_t at = hashes_[slot];
  while (bucket_of(at).is_full()) ++at;
  Bucket& bucket = bucket_of(at);
  const std::uint32_t free = bucket.taken();
  bucket.hashes[free / 4][free % 4] = hashes_[slot];
  bucket.numbers[free / 4][free % 4] = slot + 1;
}

// The name that was added last stands behind all others of its bucket, and none went on to the next bucket because of it.
void Names::cut(std::size_t size) {
  while (this->size() > size) {
    for (std::size_t at = hashes_.back();; ++at) {
      Bucket& bucket = bucket_of(at);
      const std::uint32_t last = bucket.taken() - 1;
      if (bucket.numbers[last / 4][last % 4] != this->size()) continue;
      bucket.numbers[last / 4][last % 4] = 0;
      break;
    }
    if (spellings_.back().is_long()) text_.resize(spellings_.back().first);
    spellings_.pop_back();
    hashes_.pop_back();
  }
}

void Names::widen() {
  table_.assign(4 * table_.size(), {});
  mask_ = table_.size() - 1;
  for (std::uint32_t slot = 0; slot < size(); ++slot) enter(slot);
}

}  // namespace noregret
