#include "../data/vw.hpp"

#include "harness.hpp"

using namespace noregret;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Vocabulary names(20);  // few, so that some are left out
  for (int block = 0; block < 2; ++block) {
    Parsed rows = parse_vw(text, size % 2 == 0, Naming(&names, -1));
    const std::size_t before = rows.values.size();
    const std::int64_t left_out = rows.settle(names);
    must(rows.values.size() + static_cast<std::size_t>(left_out) == before, "what is left out is counted");
    check(rows, text);
    for (std::size_t k = 0; k < rows.indices.size(); ++k) must(static_cast<std::size_t>(rows.indices[k]) < names.size(), "an index is a name");
  }
  check_kernels(text, [](std::string_view part) { return parse_vw(part, true, Naming(nullptr, 12)); });
  check_cut(text, [](std::string_view part) { return parse_vw(part, true, Naming(nullptr, 12)); });
  return 0;
}
