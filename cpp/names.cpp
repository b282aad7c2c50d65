#include "names.hpp"

#include <cstring>
#include <random>

namespace noregret {
namespace {

// Keyed afresh in every process, so that no file can be written to make names collide.
std::uint64_t hash_of(std::string_view name) {
  static const std::uint64_t key = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) ^ device() ^ 0x9e3779b97f4a7c15u;
  }();
  std::uint64_t hash = key ^ name.size();
  const auto mix = [&hash](std::uint64_t word) {
    hash ^= word;
    hash *= 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  };
  std::size_t at = 0;
  for (; at + 8 <= name.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, name.data() + at, 8);
    mix(word);
  }
  std::uint64_t word = 0;
  if (at < name.size()) std::memcpy(&word, name.data() + at, name.size() - at);
  mix(word ^ key);
  hash *= 0xc4ceb9fe1a85ec53u;
  return hash ^ (hash >> 29);
}

}  // namespace

Names::Names() : table_(16, kUnknown) {}

std::string_view Names::at(std::size_t slot) const {
  const std::size_t begin = slot == 0 ? 0 : ends_[slot - 1];
  return {text_.data() + begin, ends_[slot] - begin};
}

std::size_t Names::place(std::string_view name, std::uint64_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash & mask;
  while (table_[place] != kUnknown &&
         (hashes_[table_[place]] != hash || at(table_[place]) != name)) {
    place = (place + 1) & mask;
  }
  return place;
}

std::uint32_t Names::find(std::string_view name) const { return table_[place(name, hash_of(name))]; }

std::uint32_t Names::add(std::string_view name) {
  const std::uint64_t hash = hash_of(name);
  const std::size_t free = place(name, hash);
  if (table_[free] != kUnknown) return table_[free];
  const auto slot = static_cast<std::uint32_t>(size());
  text_.insert(text_.end(), name.begin(), name.end());
  ends_.push_back(text_.size());
  hashes_.push_back(hash);
  table_[free] = slot;
  if (2 * size() > table_.size()) rehash(2 * table_.size());
  return slot;
}

void Names::rehash(std::size_t places) {
  table_.assign(places, kUnknown);
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    std::size_t place = hashes_[slot] & (places - 1);
    while (table_[place] != kUnknown) place = (place + 1) & (places - 1);
    table_[place] = slot;
  }
}

}  // namespace noregret
