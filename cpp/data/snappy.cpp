#include "snappy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../refusal.hpp"
#include "varint.hpp"

namespace noregret {
namespace {

[[noreturn]] void refuse() { throw Refusal("BadFile", "a compressed page is damaged"); }

class Unpacking {
 public:
  Unpacking(const Fetch& fetch, std::size_t packed, char* to, std::size_t size) : fetch_(fetch), packed_(packed), left_(packed), first_(to), to_(to), last_(to + size) {}

  void run() {
    if (read_varint([&] { return number(1); }) != static_cast<std::uint64_t>(last_ - first_)) refuse();
    while (at_ < end_ || left_ > 0) {
      const std::uint32_t tag = number(1);
      switch (tag & 3) {
        case 0: literal(tag >> 2); break;
        case 1: {
          const std::uint32_t low = number(1);
          repeat(((tag >> 5) << 8) | low, 4 + ((tag >> 2) & 7));
          break;
        }
        case 2: repeat(number(2), 1 + (tag >> 2)); break;
        default: repeat(number(4), 1 + (tag >> 2));
      }
      take_pairs();
    }
    if (to_ != last_) refuse();
  }

 private:
  static constexpr std::size_t kWindow = 1 << 13;
  static constexpr std::size_t kBlock = 1 << 16;  // bytes that were compressed by themselves
  static constexpr std::size_t kTag = 8;          // enough for what tells of the next bytes

  static constexpr std::size_t kFew = 4, kShort = 16;

  std::size_t at_hand() const { return static_cast<std::size_t>(end_ - at_); }

  // Fills the window with what comes next, behind what is in it still; with little of what nobody could compress, which is to go
  // right to its place.
  void fill() {
    const bool at_first = left_ == packed_ && packed_ >= static_cast<std::size_t>(last_ - first_);
    const std::size_t kept = at_hand(), some = std::min(left_, at_first ? kTag : kWindow - kept);
    std::memmove(window_.data(), at_, kept);
    fetch({{{window_.data() + kept, some}}});
    at_ = window_.data();
    end_ = at_ + kept + some;
  }

  void fetch(std::span<const Room> rooms) {
    fetch_(packed_ - left_, rooms);
    for (const Room& room : rooms) left_ -= room.count;
  }

  // The window is empty: so many bytes go right to their place, and into the window what tells of those behind them.
  void fetch_right(std::size_t count) {
    if (const std::vector<Room> rooms = blocks_behind(count); !rooms.empty()) return fetch_blocks(rooms);
    const std::size_t some = std::min(left_ - count, kTag);
    fetch({{{to_, count}, {window_.data(), some}}});
    to_ += count;
    at_ = window_.data();
    end_ = at_ + some;
  }

  // Where so many bytes go, and then each block with its tag in front, if the sizes say that all of them stand there as they were;
  // else nothing. A guess that was wrong is the last: who makes wrong ones on purpose would have all read again for each.
  std::vector<Room> blocks_behind(std::size_t count) {
    std::vector<Room> rooms{{to_, count}};
    std::size_t packed = count;
    for (char* to = to_ + count; to < last_; to += rooms.back().count) {
      const std::size_t size = std::min(kBlock, static_cast<std::size_t>(last_ - to)), tag = size > 256 ? 3 : size > 60 ? 2 : 1;
      rooms.push_back({window_.data() + kTag * (rooms.size() / 2), tag});
      rooms.push_back({to, size});
      packed += tag + size;
      if (rooms.size() > kWindow / kTag) return {};
    }
    return guessing_ && packed == left_ && rooms.size() > 1 ? rooms : std::vector<Room>();
  }

  // From the first tag on that is another than that of such a block, what was fetched is nothing, and is the next that is read.
  void fetch_blocks(std::span<const Room> rooms) {
    fetch(rooms);
    at_ = end_ = window_.data();
    to_ += rooms[0].count;
    for (rooms = rooms.subspan(1); !rooms.empty(); rooms = rooms.subspan(2)) {
      guessing_ = guessing_ && is_block(rooms[0], rooms[1].count - 1);
      if (guessing_) {
        to_ += rooms[1].count;
      } else {
        left_ += rooms[0].count + rooms[1].count;
      }
    }
  }

  static bool is_block(const Room& tag, std::size_t size) {
    const std::size_t told = tag.count == 1 ? size << 2 : (58 + tag.count) << 2 | size << 8;
    std::size_t found = 0;
    std::memcpy(&found, tag.to, tag.count);
    return found == told;
  }

  std::uint32_t number(std::size_t bytes) {
    if (bytes > at_hand()) fill();
    if (bytes > at_hand()) refuse();
    std::uint32_t found = 0;
    std::memcpy(&found, at_, bytes);
    at_ += bytes;
    return found;
  }

  void literal(std::uint32_t told) {
    const std::size_t count = std::size_t{1} + (told < 60 ? told : number(told - 59));
    if (count > at_hand() + left_ || count > static_cast<std::size_t>(last_ - to_)) refuse();
    const std::size_t some = std::min(count, at_hand());
    take(some);
    if (count - some >= kWindow) {
      fetch_right(count - some);
    } else if (count > some) {
      fill();
      take(count - some);
    }
  }

  void take(std::size_t count) {
    std::memcpy(to_, at_, count);
    at_ += count;
    to_ += count;
  }

  // A few bytes as they were and then a few that were written before, and so on: that is how numbers that are alike are compressed. How
  // long the next ones are nobody foresees, so all are copied in the same way, a few bytes too many; and the second tag is found in what was
  // loaded for the first.
  void take_pairs() {
    constexpr std::array<std::size_t, 4> kLeast{0, 4, 1, 0}, kLength{0, 7, 63, 0}, kBack{0, 0xff, 0xffff, 0}, kHigh{0, 0x700, 0, 0};  // by kind of tag
    const char* at = at_;
    char* to = to_;
    while (static_cast<std::size_t>(end_ - at) >= kTag && static_cast<std::size_t>(last_ - to) >= kFew + kShort) {
      std::uint64_t both;
      std::memcpy(&both, at, kTag);
      const std::size_t few = 1 + ((both & 0xff) >> 2);
      if ((both & 3) != 0 || few > kFew) break;
      const std::uint64_t second = both >> 8 * (1 + few);
      const std::size_t kind = second & 3, count = kLeast[kind] + (second >> 2 & kLength[kind]);
      const std::size_t back = (second >> 8 & kBack[kind]) | (second << 3 & kHigh[kind]);
      char* next = to + few;
      if (kind == 0 || kind == 3 || count > kShort || back < kShort / 2 || back > static_cast<std::size_t>(next - first_)) break;
      std::memcpy(to, at + 1, kFew);
      for (std::size_t k = 0; k < kShort; k += kShort / 2) std::memcpy(next + k, next + k - back, kShort / 2);
      to = next + count;
      at += 1 + few + 1 + kind;
    }
    at_ = at;
    to_ = to;
  }

  // What was written so far back, which may be part of what is written now.
  void repeat(std::size_t back, std::size_t count) {
    if (back == 0 || back > static_cast<std::size_t>(to_ - first_) || count > static_cast<std::size_t>(last_ - to_)) refuse();
    const char* from = to_ - back;
    if (back >= 8 && count + 8 <= static_cast<std::size_t>(last_ - to_)) {  // eight bytes at a time, and a few too many
      for (std::size_t k = 0; k < count; k += 8) std::memcpy(to_ + k, from + k, 8);
    } else {
      for (std::size_t k = 0; k < count; ++k) to_[k] = from[k];
    }
    to_ += count;
  }

  const Fetch& fetch_;
  std::size_t packed_;
  std::size_t left_;  // bytes that were not fetched
  bool guessing_ = true;
  std::array<char, kWindow> window_;
  const char *at_ = window_.data(), *end_ = at_;
  char *first_, *to_, *last_;
};

// Goes from what tells of a stretch to the next, and reads nothing else.
class Stretches {
 public:
  Stretches(const Fetch& fetch, std::size_t packed) : fetch_(fetch), packed_(packed) {}

  std::vector<Stretch> find(std::size_t size) {
    std::vector<Stretch> found;
    if (read_varint([&] { return byte(); }) != size) return {};
    while (at_ < packed_) {
      const std::uint8_t tag = byte();
      if ((tag & 3) != 0 || (!found.empty() && found.back().count < kLong)) return {};
      const std::size_t count = std::size_t{1} + (tag >> 2 < 60 ? tag >> 2 : number((tag >> 2) - 59));
      if (count > size || count > packed_ - at_) return {};
      found.push_back({at_, count});
      at_ += count;
      size -= count;
    }
    return size == 0 ? found : std::vector<Stretch>();
  }

 private:
  static constexpr std::size_t kLong = 1 << 13;  // with shorter ones, going there is most of the work
  static constexpr std::size_t kTag = 5;

  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }

  std::uint32_t number(std::size_t bytes) {
    if (at_ + bytes > packed_) refuse();
    if (at_ < from_ || at_ + bytes > from_ + kTag) {
      from_ = at_;
      fetch_(from_, {{{window_.data(), std::min(kTag, packed_ - from_)}}});
    }
    std::uint32_t found = 0;
    std::memcpy(&found, window_.data() + (at_ - from_), bytes);
    at_ += bytes;
    return found;
  }

  const Fetch& fetch_;
  std::size_t packed_, at_ = 0;
  std::array<char, kTag> window_;
  std::size_t from_ = packed_;  // what is in the window
};

}  // namespace

std::vector<Stretch> find_snappy_stretches(const Fetch& fetch, std::size_t packed, std::size_t size) { return Stretches(fetch, packed).find(size); }

void unpack_snappy(const Fetch& fetch, std::size_t packed, char* to, std::size_t size) { Unpacking(fetch, packed, to, size).run(); }

}  // namespace noregret
