// Names to slots: the n-th name met gets slot n. No Python in here, so it works without the GIL.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spelling.hpp"

namespace noregret {

inline constexpr std::uint32_t kUnknown = 0xffffffffu;

class Names {
 public:
  Names();
  // Keyed afresh in every process, so that no file can be written to make names collide.
  static std::uint32_t hash(std::string_view name) { return hash(name, Spelling(name)); }
  static std::uint32_t hash(std::string_view name, Spelling spelling) {
    if (spelling.is_long()) spelling.first = folded_text(name);
    return static_cast<std::uint32_t>(folded(spelling.first, spelling.rest) * 0xc4ceb9fe1a85ec53u >> 32);
  }
  // Looking up in three steps, for who has many names: each asks for the memory that the next one looks at.
  void fetch(std::uint32_t hash) const { __builtin_prefetch(&bucket_of(hash)); }
  std::uint32_t guess(std::uint32_t hash) const {
    const std::uint32_t number = bucket_of(hash).number(hash), guessed = number <= size() ? number : 0;
    __builtin_prefetch(&spellings_[guessed]);
    return guessed - 1;
  }
  // Whether a guess was right. If not, find() knows.
  bool is(std::uint32_t guess, std::string_view name, const Spelling& spelling) const {
    const Spelling& known = spellings_[guess + 1];
    return known.is_long() ? known.rest == spelling.rest && at(guess) == name : known == spelling;
  }
  // kUnknown when it has not been added.
  std::uint32_t find(std::string_view name, std::uint32_t hash) const { return find(name, Spelling(name), hash); }
  std::uint32_t find(std::string_view name, const Spelling& spelling, std::uint32_t hash) const;
  std::uint32_t add(std::string_view name) { return add(name, hash(name)); }
  std::uint32_t add(std::string_view name, std::uint32_t hash);  // its slot, old or new
  void cut(std::size_t size);  // forgets the last ones that were added
  std::string_view at(std::size_t slot) const {
    const Spelling& spelling = spellings_[slot + 1];
    return spelling.is_long() ? std::string_view(text_.data() + spelling.first, spelling.size()) : spelling.letters();
  }
  std::size_t size() const { return hashes_.size(); }

 private:
  static const Spelling kKey;
  static std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a ^ kKey.first) * (b ^ kKey.rest);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }
  static std::uint64_t folded_text(std::string_view name);

  // What the processor fetches at once. Hashes stand beside the slots, so that another name is told apart without being read.
  // A bucket is filled from its front, in the order of the slots; when it is full, the next one goes on.
  using Four = std::uint32_t __attribute__((vector_size(16)));
  using Two = std::uint64_t __attribute__((vector_size(16)));
  struct alignas(64) Bucket {
    Four hashes[2] = {};
    Four numbers[2] = {};  // slot + 1; 0 is free

    // Of the name with this hash; 0 when there is none, and nonsense when there are several. Looks at all places without a branch:
    // no processor foresees where a name stands.
    std::uint32_t number(std::uint32_t hash) const {
      const Four wanted = {hash, hash, hash, hash};
      const Two found = Two((numbers[0] & Four(hashes[0] == wanted)) | (numbers[1] & Four(hashes[1] == wanted)));
      const std::uint64_t both = found[0] | found[1];
      return static_cast<std::uint32_t>(both | both >> 32);
    }
    std::uint32_t taken() const {
      const Four free = Four(numbers[0] == Four{}) + Four(numbers[1] == Four{});  // −1 for each
      return 8 + free[0] + free[1] + free[2] + free[3];
    }
    bool is_full() const { return numbers[1][3] != 0; }
  };
  const Bucket& bucket_of(std::size_t hash) const { return table_[hash & mask_]; }
  Bucket& bucket_of(std::size_t hash) { return table_[hash & mask_]; }
  void enter(std::uint32_t slot);
  void widen();

  std::vector<Spelling> spellings_{Spelling::nobody()};  // by slot + 1; a long one says where it begins in the text
  std::vector<char> text_;
  std::vector<std::uint32_t> hashes_;
  std::vector<Bucket> table_;  // a power of two
  std::size_t mask_;           // its size less 1
};

}  // namespace noregret
