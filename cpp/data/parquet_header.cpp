#include "parquet_header.hpp"

#include <algorithm>

#include "../refusal.hpp"
#include "parquet_thrift.hpp"

namespace noregret {
namespace {

[[noreturn]] void refuse() { throw Refusal("BadFile", "the header of a page is damaged"); }

void read_data(Thrift& in, PageHeader& page, int type) {
  in.inner(type, [&](std::int64_t field, int inside) {
    if (field == 1) page.values = in.integer(inside);
    else if (field == 2) page.encoding = in.integer(inside);
    else if (field == 3) page.levels_in_runs = in.integer(inside) == 3;
    else in.pass(inside);
  });
}

void read_data_v2(Thrift& in, PageHeader& page, int type) {
  page.level_bytes = 0;
  in.inner(type, [&](std::int64_t field, int inside) {
    if (field == 1) page.values = in.integer(inside);
    else if (field == 4) page.encoding = in.integer(inside);
    else if (field == 5) page.level_bytes = in.integer(inside);
    else if (field == 6 && in.integer(inside) != 0) refuse();  // cells that are lists
    else if (field == 7) page.compressed = in.truth(inside);
    else if (field != 6) in.pass(inside);
  });
}

void read_dictionary(Thrift& in, PageHeader& page, int type) {
  in.inner(type, [&](std::int64_t field, int inside) {
    if (field == 1) page.values = in.integer(inside);
    else if (field == 2) page.encoding = in.integer(inside);
    else in.pass(inside);
  });
}

}  // namespace

std::optional<PageHeader> read_page_header(std::string_view bytes) {
  Thrift in(bytes);
  PageHeader page;
  try {
    in.structure([&](std::int64_t field, int type) {
      if (field == 1) page.kind = in.integer(type);
      else if (field == 2) page.raw = in.integer(type);
      else if (field == 3) page.stored = in.integer(type);
      else if (field == 5) read_data(in, page, type);
      else if (field == 7) read_dictionary(in, page, type);
      else if (field == 8) read_data_v2(in, page, type);
      else in.pass(type);
    });
  } catch (const Thrift::CutShort&) {
    return std::nullopt;
  }
  constexpr std::int64_t kMost = 0x7fffffff;
  const bool sized = page.raw >= 0 && page.raw <= kMost && page.stored >= 0 && page.stored <= kMost;
  const bool v2 = page.kind == static_cast<std::int64_t>(PageKind::data_v2);
  const bool levels = v2 ? page.level_bytes >= 0 && page.level_bytes <= std::min(page.raw, page.stored) : page.level_bytes == -1;
  const bool index = page.kind == static_cast<std::int64_t>(PageKind::index);
  if (!sized || !levels || (!index && (page.values < 0 || page.values > kMost || page.encoding < 0))) refuse();
  page.bytes = in.at();
  return page;
}

}  // namespace noregret
