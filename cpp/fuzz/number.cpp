// Numbers are read as the standard library reads them, to the bit.
#include "../data/number.hpp"

#include <string>

#include "harness.hpp"

using namespace noregret;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  double ours = 0.0, short_one = 0.0;
  const bool is_number = read_number(text, ours);
  const std::string behind_others = "1234567-" + std::string(text);
  if (read_short_number(behind_others.data() + behind_others.size(), size, short_one)) {
    must(is_number && same(ours, short_one), "the same bits however it is read");
  }
  if (!is_number) return 0;
  const std::string copy(text.front() == '+' ? text.substr(1) : text);
  char* stop = nullptr;
  const double theirs = std::strtod(copy.c_str(), &stop);
  must(stop == copy.data() + copy.size(), "a number to the end");
  must(same(ours, theirs), "the same bits as strtod");
  return 0;
}
