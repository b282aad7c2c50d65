#include "number.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

namespace noregret {
namespace {

bool read_any(std::string_view text, double& number) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return false;
  }
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc::result_out_of_range) {
    // from_chars does not say which way; Python takes 1e-400 as 0 and 1e400 as infinity.
    number = std::strtod(std::string(text).c_str(), nullptr);
    return stop == end;
  }
  return problem == std::errc() && stop == end;
}

}  // namespace

bool read_longer_number(std::string_view text, double& number) {
  const char *at = text.data(), *const end = at + text.size();
  const bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  std::uint64_t digits = 0;
  const char* const first = at;
  const auto is_digit = [&] { return at < end && static_cast<unsigned char>(*at - '0') <= 9; };
  for (; is_digit(); ++at) digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  std::ptrdiff_t count = at - first, behind = 0;
  if (at < end && *at == '.') {
    const char* const point = at++;
    for (; is_digit(); ++at) digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
    behind = at - point - 1;
    count += behind;
  }
  // Nineteen digits fit into 64 bits.
  const bool plain = at == end && count > 0 && count <= 19 && behind <= 22 && digits <= (std::uint64_t{1} << 53);
  if (!plain) return read_any(text, number);
  number = static_cast<double>(digits) / kTens[behind];
  if (negative) number = -number;
  return true;
}

}  // namespace noregret
