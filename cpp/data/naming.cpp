#include "naming.hpp"

#include <bit>

namespace noregret {
namespace {

// How many bytes a character has that begins like this; 0 when none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of(byte(at));
    if (length == 0 || at + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if (byte(at + k) >> 6 != 2) return false;
    }
    if (length > 2) {
      const unsigned pair = byte(at) << 8 | byte(at + 1);
      const bool detour = (byte(at) == 0xe0 && pair < 0xe0a0) || (byte(at) == 0xf0 && pair < 0xf090);
      if (detour || (byte(at) == 0xed && pair > 0xed9f) || pair > 0xf48f) return false;
    }
    at += length;
  }
  return true;
}

// Lets feature number `at` wait for the column of a new name; false when that is not UTF-8.
bool Naming::wait(Parsed& out, std::string_view name, std::uint32_t hash, std::size_t at) {
  std::uint32_t place = out.fresh.find(name, hash);
  if (place == kUnknown) {
    if (!is_utf8(name)) return false;
    place = out.fresh.add(name, hash);
  }
  out.waiting.push_back(static_cast<std::uint32_t>(at));
  out.indices[at] = static_cast<std::int32_t>(place);
  return true;
}

bool Naming::answer(Parsed& out) {
  bool good = true;
  for (std::size_t k = 0; k < count_; ++k) {
    const Asked& asked = asked_[k];
    const std::uint32_t column = vocabulary_->find(asked.key);
    if (column != kUnknown) {
      out.indices[asked.at] = static_cast<std::int32_t>(column);
    } else if (!wait(out, asked.key.name, asked.key.hash, asked.at)) {  // its row will be dropped
      if (good) bad_ = asked.written;
      good = false;
    }
  }
  count_ = 0;
  return good;
}

bool Naming::put_short(Parsed& out, const ShortName* names, std::size_t count, std::size_t prefix_size) {
  if (hash_.on()) {
    for (std::size_t k = 0; k < count; ++k) out.indices.put(hash_.short_name(names[k].letters(), names[k].size()));
    return true;
  }
  if (count_ > 0 && !answer(out)) return false;  // names wait in the order of the text
  const std::size_t begin = out.indices.size();
  std::uint32_t hashes[kMostShort], left[kMostShort];
  std::size_t left_count = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t number = number_of(names[k].letters(), names[k].size());
    const std::uint32_t column = number != kUnknown ? vocabulary_->find_number(number) : kUnknown;
    out.indices.put(static_cast<std::int32_t>(column));
    left[left_count] = static_cast<std::uint32_t>(k);
    left_count += column == kUnknown;
  }
  for (std::size_t k = 0; k < left_count; ++k) {
    hashes[k] = Names::hash_short(names[left[k]].letters(), names[left[k]].size());
    vocabulary_->fetch(hashes[k]);
  }
  bool good = true;
  for (std::size_t k = 0; k < left_count; ++k) {
    const ShortName& name = names[left[k]];
    const std::uint32_t column = vocabulary_->find(name.word, hashes[k]);
    out.indices[begin + left[k]] = static_cast<std::int32_t>(column);
    if (column != kUnknown) continue;
    const auto letters = std::bit_cast<std::array<char, 8>>(name.word);
    if (wait(out, {letters.data(), name.size()}, hashes[k], begin + left[k])) continue;
    const std::size_t length = name.size() - prefix_size;
    if (good) bad_ = {name.end - length, length};
    good = false;
  }
  return good;
}

}  // namespace noregret
