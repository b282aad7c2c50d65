#include "names.hpp"

#include <random>

namespace noregret {

const Spelling Names::kKey = [] {
  std::random_device device;
  const auto word = [&device] { return static_cast<std::uint64_t>(device()) << 32 ^ device(); };
  return Spelling(word() ^ 0x9e3779b97f4a7c15u, word());
}();

Names::Names() : cells_(64), mask_(63) {}

std::uint64_t Names::folded_text(std::string_view name) {
  std::uint64_t folds = 0;
  for (std::size_t at = 0; at + 8 < name.size(); at += 8) folds = folded(folds, loaded<std::uint64_t>(name.data() + at), kKey);
  return folded(folds, loaded<std::uint64_t>(name.data() + name.size() - 8), kKey);
}

std::uint32_t Names::add(std::string_view name, const Spelling& spelling, std::uint32_t hash) {
  std::size_t cell = cell_of(name, spelling, hash);
  if (cells_[cell] != 0) return cells_[cell] - 1;
  if (cells_.size() < 4 * (size() + 1)) {
    widen();
    cell = cell_of(name, spelling, hash);
  }
  if (spelling.is_long()) {
    text_.insert(text_.end(), name.begin(), name.end());
    spellings_.emplace_back(spelling.first, text_.size() - name.size());
  } else {
    spellings_.push_back(spelling);
  }
  cells_[cell] = static_cast<std::uint32_t>(size());
  return cells_[cell] - 1;
}

// No name stands where it does because of one that was added after it.
void Names::cut(std::size_t size) {
  for (; this->size() > size; spellings_.pop_back()) {
    std::size_t at = hash(this->at(this->size() - 1));
    while (cells_[at & mask_] != this->size()) ++at;
    cells_[at & mask_] = 0;
    if (spellings_.back().is_long()) text_.resize(spellings_.back().rest);
  }
}

void Names::widen() {
  cells_.assign(4 * cells_.size(), 0);
  mask_ = cells_.size() - 1;
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    std::size_t free = hash(at(slot));
    while (cells_[free & mask_] != 0) ++free;
    cells_[free & mask_] = slot + 1;
  }
}

}  // namespace noregret
