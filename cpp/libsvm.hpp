// Text in libsvm format: "label index:value index:value … # comment", a row a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace noregret {

struct ParsedRows {
  std::vector<double> labels;
  std::vector<double> values;
  std::vector<std::int32_t> indices;
  std::vector<std::int32_t> starts{0};
  std::vector<std::int64_t> lines;  // the line of the file that each row stands on
  std::int64_t line_count = 0;

  // What stopped the parser, if anything did. The rows before it are whole.
  std::string fault;
  std::string token;
  std::int64_t fault_line = 0;
  std::int64_t fault_column = 0;
};

// Parses whole lines; `first_line` is the number of the first of them. Bytes are never read past
// the end of `text`.
ParsedRows parse_libsvm(std::string_view text, std::int64_t first_line);

}  // namespace noregret
