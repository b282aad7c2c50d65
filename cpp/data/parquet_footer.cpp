#include "parquet_footer.hpp"

#include "parquet_thrift.hpp"

namespace noregret {
namespace {

void read_place(Thrift& in, FooterChunk& chunk, int type) {
  in.inner(type, [&](std::int64_t field, int inside) {
    if (field == 1) chunk.type = in.integer(inside);
    else if (field == 2) in.list(inside, [&](int element) {
      const std::int64_t encoding = in.integer(element);
      chunk.encodings |= std::uint64_t{1} << (encoding >= 0 && encoding < 63 ? encoding : 63);
    });
    else if (field == 4) chunk.codec = in.integer(inside);
    else if (field == 5) chunk.values = in.integer(inside);
    else if (field == 9) chunk.data = in.integer(inside);
    else if (field == 11) chunk.dictionary = in.integer(inside);
    else in.pass(inside);
  });
}

FooterChunk read_chunk(Thrift& in, int type) {
  FooterChunk chunk;
  in.inner(type, [&](std::int64_t field, int inside) {
    if (field == 1) chunk.elsewhere |= !in.text(inside).empty();
    else if (field == 3) read_place(in, chunk, inside);
    else {
      chunk.elsewhere |= field == 8 || field == 9;
      in.pass(inside);
    }
  });
  return chunk;
}

FooterGroup read_group(Thrift& in, int type) {
  FooterGroup group;
  in.inner(type, [&](std::int64_t field, int inside) {
    if (field == 1) in.list(inside, [&](int element) { group.chunks.push_back(read_chunk(in, element)); });
    else if (field == 3) group.rows = in.integer(inside);
    else in.pass(inside);
  });
  return group;
}

}  // namespace

std::vector<FooterGroup> read_footer(std::string_view bytes) {
  std::vector<FooterGroup> groups;
  Thrift in(bytes);
  try {
    in.structure([&](std::int64_t field, int type) {
      if (field == 4) in.list(type, [&](int element) { groups.push_back(read_group(in, element)); });
      else in.pass(type);
    });
  } catch (const Thrift::CutShort&) {
    throw Refusal("BadFile", "what the file says of itself is cut short");
  }
  return groups;
}

}  // namespace noregret
