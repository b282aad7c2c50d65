#include "../data/libsvm.hpp"

#include "harness.hpp"

using namespace noregret;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(parse_libsvm(text, size % 2 == 0, size % 3 == 0 ? 5 : -1), text);
  check_kernels(text, [](std::string_view part) { return parse_libsvm(part, true, -1); });
  check_cut(text, [](std::string_view part) { return parse_libsvm(part, true, -1); });
  return 0;
}
