// Damaged blocks whose checksum fits all the same: what is behind it must be checked as well.
#include "../data/nrb.hpp"

#include <cstring>
#include <string>

#include "../data/checksum.hpp"
#include "../refusal.hpp"
#include "harness.hpp"

using namespace noregret;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string block(reinterpret_cast<const char*>(data), size);
  if (size >= sizeof(NrbHead) && size % 8 != 0) {
    NrbHead head;
    std::memcpy(&head, block.data(), sizeof head);
    std::memcpy(head.magic, "NRBb", 4);
    if (size % 3 != 0) head.bytes = size - sizeof head;
    head.checksum = 0;
    const std::uint64_t above = Xxh64::of({reinterpret_cast<const char*>(&head), sizeof head});
    head.checksum = above ^ Xxh64::of(std::string_view(block).substr(sizeof head));
    std::memcpy(block.data(), &head, sizeof head);
  }
  try {
    check_rows(decode_nrb(block));
  } catch (const Refusal&) {
    return 0;
  }
  return 0;
}
