#include "words.hpp"

namespace noregret {
namespace {

bool within(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

bool is_letter(char32_t c) {
  if (c < 0x80) return within(c, 'a', 'z') || within(c, 'A', 'Z') || within(c, '0', '9');
  if (c < 0xc0) return c == 0xaa || c == 0xb5 || c == 0xba;
  if (c == 0xd7 || c == 0xf7) return false;                    // × and ÷
  return !(within(c, 0x2000, 0x2bff) || within(c, 0x2e00, 0x2e7f) || within(c, 0x3000, 0x3004) ||
           within(c, 0x3008, 0x3020) || within(c, 0xfe10, 0xfe6f) || within(c, 0xff00, 0xff0f) ||
           within(c, 0xff1a, 0xff20) || within(c, 0xe000, 0xf8ff) || within(c, 0x1f000, 0x1faff));
}

bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

char32_t lowered(char32_t c) {
  if (within(c, 'A', 'Z') || within(c, 0xc0, 0xde) || within(c, 0x391, 0x3ab) || within(c, 0x410, 0x42f)) return c + 0x20;
  if (within(c, 0x400, 0x40f)) return c + 0x50;
  const bool even_capitals = within(c, 0x100, 0x12f) || within(c, 0x132, 0x137) || within(c, 0x14a, 0x177) || within(c, 0x460, 0x481);
  const bool odd_capitals = within(c, 0x139, 0x148) || within(c, 0x179, 0x17e);
  if (even_capitals) return c | 1;
  return odd_capitals ? c + (c & 1) : c;
}

}  // namespace

// One character of UTF-8; a byte that is none counts as a mark of its own.
char32_t WordReader::peek(std::size_t at, std::size_t& length) const {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text_[at + k]); };
  length = 1;
  if (byte(0) < 0x80) return byte(0);
  const std::size_t wanted = byte(0) < 0xc0 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (wanted == 1 || at + wanted > text_.size()) return 0;
  char32_t c = byte(0) & (0xffu >> (wanted + 1));
  for (std::size_t k = 1; k < wanted; ++k) {
    if (byte(k) >> 6 != 2) return 0;
    c = c << 6 | (byte(k) & 0x3f);
  }
  length = wanted;
  return c;
}

void WordReader::keep(char32_t c) {
  const auto put = [this](char32_t byte) { word_ += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
  }
  put(0x80 | (c & 0x3f));
}

std::string_view WordReader::next() {
  word_.clear();
  std::size_t length = 0;
  while (at_ < text_.size()) {
    const char32_t c = peek(at_, length);
    if (is_letter(c)) {
      keep(lowered(c));
    } else if (!word_.empty()) {
      std::size_t behind = 0;
      const bool inside = is_apostrophe(c) && at_ + length < text_.size() && is_letter(peek(at_ + length, behind));
      if (!inside) break;
      keep(c);
    }
    at_ += length;
  }
  return word_;
}

}  // namespace noregret
