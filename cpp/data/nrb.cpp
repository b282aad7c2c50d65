#include "nrb.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "../refusal.hpp"
#include "../wide.hpp"
#include "checksum.hpp"
#include "number.hpp"

namespace noregret {
namespace {

constexpr int kMostDecimals = 9;

std::uint64_t checksum_of(NrbHead head, std::string_view rest) {
  head.checksum = 0;
  return Xxh64::of(rest) ^ Xxh64::of({reinterpret_cast<const char*>(&head), sizeof head});
}

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// How values are stored in the fewest bytes without losing a bit.
class Choice {
 public:
  ValueKind kind = ValueKind::real64;
  int decimals = 0;

  Choice(const auto* values, std::size_t count) {
    bool ones = true, reals = true, fractions = true;
    double largest = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      const auto value = static_cast<double>(values[k]);
      ones = ones && value == 1.0;
      reals = reals && same(static_cast<double>(static_cast<float>(value)), value);
      while (fractions && !fits(value)) fractions = ++decimals <= kMostDecimals;
      largest = std::max(largest, std::abs(value));
      if (!ones && !reals && !fractions) break;
    }
    const double code = fractions ? largest * kTens[decimals] : INFINITY;
    if (ones) {
      kind = ValueKind::ones;
    } else if (code < 32767) {
      kind = ValueKind::decimal16;
    } else if (reals) {
      kind = ValueKind::real32;
    } else if (code < 2147483647) {
      kind = ValueKind::decimal32;
    }
  }

 private:
  bool fits(double value) const {
    const double code = std::nearbyint(value * kTens[decimals]);
    return std::abs(code) < 2147483647 && same(static_cast<std::int32_t>(code) / kTens[decimals], value);  // −0 is no whole number
  }
};

template <class T>
void append(std::string& out, std::size_t count, auto&& at) {
  const std::size_t begin = out.size();
  out.resize(begin + count * sizeof(T));
  for (std::size_t k = 0; k < count; ++k) {
    const T value = static_cast<T>(at(k));
    std::memcpy(out.data() + begin + k * sizeof(T), &value, sizeof(T));
  }
}

void append_values(std::string& out, const Choice& choice, const auto* values, std::size_t count) {
  const auto value = [values](std::size_t k) { return static_cast<double>(values[k]); };
  const auto code = [&](std::size_t k) { return std::nearbyint(value(k) * kTens[choice.decimals]); };
  switch (choice.kind) {
    case ValueKind::real64: return append<double>(out, count, value);
    case ValueKind::real32: return append<float>(out, count, value);
    case ValueKind::ones: return;
    case ValueKind::decimal16: return append<std::int16_t>(out, count, code);
    case ValueKind::decimal32: return append<std::int32_t>(out, count, code);
  }
}

[[noreturn]] void refuse(const char* why) { throw Refusal("BadFile", std::string("a block of it is damaged: ") + why); }

// The parts of a block one after the other, with every length checked.
class Parts {
 public:
  explicit Parts(std::string_view bytes) : bytes_(bytes) {}
  const char* next(std::size_t count, std::size_t size) {
    if (count > bytes_.size() / size) refuse("it is shorter than it says");
    const char* part = bytes_.data();
    bytes_.remove_prefix(count * size);
    return part;
  }
  bool done() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

// Part of who calls it, and compiled for what that is.
template <class From, class To>
[[gnu::always_inline]] inline void spread(const char* __restrict from, To* __restrict to, std::size_t count, auto&& change) {
  for (std::size_t k = 0; k < count; ++k) to[k] = change(loaded<From>(from + k * sizeof(From)));
}

// Dividing is most of the work, unless the processor divides several at a time.
NOREGRET_WIDE void read_values(Parts& parts, const NrbHead& head, double* to) {
  const std::size_t count = head.values;
  const auto plain = [](auto value) { return static_cast<double>(value); };
  const double tens = kTens[head.decimals];
  const auto fraction = [tens](auto code) { return static_cast<double>(code) / tens; };
  switch (static_cast<ValueKind>(head.value_kind)) {
    case ValueKind::real64: return spread<double>(parts.next(count, 8), to, count, plain);
    case ValueKind::real32: return spread<float>(parts.next(count, 4), to, count, plain);
    case ValueKind::ones: std::fill_n(to, count, 1.0); return;
    case ValueKind::decimal16: return spread<std::int16_t>(parts.next(count, 2), to, count, fraction);
    case ValueKind::decimal32: return spread<std::int32_t>(parts.next(count, 4), to, count, fraction);
  }
  refuse("its values are of no known kind");
}

// The features; two bytes are never below 0, and four are if any of them is.
NOREGRET_WIDE bool read_indices(const char* from, const NrbHead& head, std::int32_t* to) {
  const auto plain = [](auto index) { return static_cast<std::int32_t>(index); };
  if (head.index_bytes == 2) {
    spread<std::uint16_t>(from, to, head.values, plain);
    return true;
  }
  spread<std::uint32_t>(from, to, head.values, plain);
  std::int32_t signs = 0;  // all of them laid over each other
  for (std::size_t k = 0; k < head.values; ++k) signs |= to[k];
  return signs >= 0;
}

void read_starts(const char* lengths, const NrbHead& head, Column<std::int32_t>& starts) {
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < head.rows; ++r) {
    sum += loaded<std::uint32_t>(lengths + 4 * r);
    starts.push(static_cast<std::int32_t>(sum));
    if (sum > head.values) refuse("its rows are longer than it says");
  }
  if (sum != head.values) refuse("its rows are shorter than it says");
}

NrbHead head_of(std::string_view block) {
  NrbHead head;
  if (block.size() < sizeof head) refuse("it is too short");
  std::memcpy(&head, block.data(), sizeof head);
  if (std::memcmp(head.magic, "NRBb", 4) != 0 || head.bytes != block.size() - sizeof head) refuse("its head is wrong");
  if (head.checksum != checksum_of(head, block.substr(sizeof head))) refuse("its checksum is wrong");
  if (head.decimals > kMostDecimals || head.values > 0x7fffffffu || (head.index_bytes != 2 && head.index_bytes != 4) || head.more > (kWeights | kGroups)) refuse("its head is wrong");
  if (head.values > head.bytes / head.index_bytes) refuse("it is shorter than it says");  // before room is made for them
  return head;
}

}  // namespace

template <class V, class I>
std::string encode_nrb(const SparseRows<V, I>& rows, const RowFacts& facts) {
  const auto begin = static_cast<std::size_t>(rows.starts[0]), count = static_cast<std::size_t>(rows.starts[rows.count]) - begin;
  const V* values = rows.values + begin;
  const I* indices = rows.indices + begin;
  std::int64_t largest = 0, smallest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    largest = std::max<std::int64_t>(largest, indices[k]);
    smallest = std::min<std::int64_t>(smallest, indices[k]);
  }
  if (smallest < 0 || largest > 2147483646) throw Refusal("BadInput", "a feature number is from 0 to 2147483646");
  const Choice choice(values, count);
  NrbHead head{{'N', 'R', 'B', 'b'}, static_cast<std::uint8_t>(choice.kind), static_cast<std::uint8_t>(largest < 65536 ? 2 : 4),
               static_cast<std::uint8_t>(choice.decimals > kMostDecimals ? 0 : choice.decimals),
               static_cast<std::uint8_t>((facts.weights ? kWeights : 0) | (facts.groups ? kGroups : 0)),
               static_cast<std::uint32_t>(rows.count), static_cast<std::uint32_t>(count), 0, 0};
  std::string out(sizeof head, '\0');
  append<double>(out, rows.count, [&](std::size_t r) { return facts.labels[r]; });
  if (facts.weights) append<double>(out, rows.count, [&](std::size_t r) { return facts.weights[r]; });
  if (facts.groups) append<std::int64_t>(out, rows.count, [&](std::size_t r) { return facts.groups[r]; });
  append<std::uint32_t>(out, rows.count, [&](std::size_t r) { return rows.starts[r + 1] - rows.starts[r]; });
  append_values(out, choice, values, count);
  const auto index = [&](std::size_t k) { return indices[k]; };
  head.index_bytes == 2 ? append<std::uint16_t>(out, count, index) : append<std::uint32_t>(out, count, index);
  head.bytes = out.size() - sizeof head;
  head.checksum = checksum_of(head, std::string_view(out).substr(sizeof head));
  std::memcpy(out.data(), &head, sizeof head);
  return out;
}

template std::string encode_nrb(const SparseRows<double, std::int32_t>&, const RowFacts&);
template std::string encode_nrb(const SparseRows<double, std::int64_t>&, const RowFacts&);
template std::string encode_nrb(const SparseRows<float, std::int32_t>&, const RowFacts&);
template std::string encode_nrb(const SparseRows<float, std::int64_t>&, const RowFacts&);

Parsed decode_nrb(std::string_view block) {
  const NrbHead head = head_of(block);
  Parts parts(block.substr(sizeof head));
  const char* labels = parts.next(head.rows, 8);
  const char* weights = head.more & kWeights ? parts.next(head.rows, 8) : nullptr;
  const char* groups = head.more & kGroups ? parts.next(head.rows, 8) : nullptr;
  const char* lengths = parts.next(head.rows, 4);
  Parsed out(head.values);
  for (std::size_t r = 0; r < head.rows; ++r) {
    out.labels.push(loaded<double>(labels + 8 * r));
    if (weights != nullptr) out.weights.push(loaded<double>(weights + 8 * r));
    if (groups != nullptr) out.groups.push(loaded<std::int64_t>(groups + 8 * r));
    out.lines.push(static_cast<std::int32_t>(r));
  }
  read_starts(lengths, head, out.starts);
  read_values(parts, head, out.values.data());
  out.values.cut(head.values);
  if (!read_indices(parts.next(head.values, head.index_bytes), head, out.indices.data())) refuse("a feature number is from 0 to 2147483646");
  out.indices.cut(head.values);
  if (!parts.done()) refuse("it is longer than it says");
  out.line_count = head.rows;
  return out;
}

}  // namespace noregret
