#include "naming.hpp"

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
    place = out.fresh.add(name, Spelling(name), hash);
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

bool Naming::name(Parsed& out, std::string_view prefix, const Tokens::Run& run, std::size_t begin) {
  const bool numbered = prefix.empty() && !hash_.on();
  if (numbered && vocabulary_->find_numbers(out.indices.data() + begin, run.count)) return true;
  bool good = true;
  for (std::size_t k = 0; k < run.count && good; ++k) {
    if (!numbered || out.indices[begin + k] < 0) good = ask(out, prefix, run.name(k), run.name(k), begin + k);
  }
  return good;
}

}  // namespace noregret
