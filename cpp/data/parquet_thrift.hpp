// Thrift's compact protocol, in which Parquet tells what is in a file: structures of fields with a number and a type.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
#pragma once

#include <cstdint>
#include <string_view>

#include "../refusal.hpp"
#include "varint.hpp"

namespace noregret {

class Thrift {
 public:
  struct CutShort {};  // thrown when the bytes end

  explicit Thrift(std::string_view bytes) : bytes_(bytes) {}

  std::int64_t at() const { return static_cast<std::int64_t>(at_); }

  // Calls visit(number, type) for every field; it must read what it is called for.
  template <class Visit>
  void structure(Visit visit) {
    std::int64_t number = 0;
    while (true) {
      const std::uint8_t head = byte();
      if (head == 0) return;
      number = (head >> 4) != 0 ? number + (head >> 4) : integer();
      if (number < 0 || number > 0x7fff) refuse();
      visit(number, head & 15);
    }
  }

  std::int64_t integer(int type) {
    if (type < kI16 || type > kI64) refuse();
    return integer();
  }

  bool truth(int type) {
    if (type != kTrue && type != kFalse) refuse();
    return type == kTrue;
  }

  template <class Visit>
  void inner(int type, Visit visit) {
    if (type != kStructure) refuse();
    structure(visit);
  }

  // Calls visit(type) for every element.
  template <class Visit>
  void list(int type, Visit visit) {
    if (type != kList) refuse();
    each(visit);
  }

  std::string_view text(int type) {
    if (type != kBinary) refuse();
    return pass_bytes(varint());
  }

  // Passes over whatever it is.
  void pass(int type, int depth = 0) {
    if (depth > 16) refuse();
    switch (type) {
      case kTrue:
      case kFalse: return;
      case kByte: return void(pass_bytes(1));
      case kI16:
      case kI32:
      case kI64: return void(varint());
      case kDouble: return void(pass_bytes(8));
      case kBinary: return void(pass_bytes(varint()));
      case kList:
      case kSet: return each([&](int inside) { pass(inside, depth + 1); });
      case kStructure: return structure([&](std::int64_t, int inside) { pass(inside, depth + 1); });
      default: refuse();  // there are no maps
    }
  }

 private:
  enum Type { kTrue = 1, kFalse, kByte, kI16, kI32, kI64, kDouble, kBinary, kList, kSet, kMap, kStructure };

  std::uint8_t byte() {
    if (at_ >= bytes_.size()) throw CutShort();
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  std::uint64_t varint() {
    return read_varint([&] { return byte(); });
  }
  std::int64_t integer() {
    const std::uint64_t folded = varint();
    return static_cast<std::int64_t>((folded >> 1) ^ (0 - (folded & 1)));
  }
  std::string_view pass_bytes(std::uint64_t count) {
    if (count > bytes_.size() - at_) throw CutShort();
    const std::string_view found = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += found.size();
    return found;
  }
  template <class Visit>
  void each(Visit visit) {
    const std::uint8_t head = byte();
    const std::uint64_t count = (head >> 4) == 15 ? varint() : head >> 4;
    const int type = (head & 15) == kFalse || (head & 15) == kTrue ? static_cast<int>(kByte) : head & 15;
    if (count > bytes_.size() - at_) throw CutShort();  // each has at least one byte
    for (std::uint64_t k = 0; k < count; ++k) visit(type);
  }
  [[noreturn]] static void refuse() { throw Refusal("BadFile", "what the file says of itself is damaged"); }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace noregret
