#include "parsed.hpp"

#include <utility>

#include "vocabulary.hpp"

namespace noregret {

void Parsed::end_row(double label, double weight, std::int64_t line) {
  if (weight != 1.0 || !weights.empty()) {
    while (weights.size() < labels.size()) weights.push(1.0);
    weights.push(weight);
  }
  labels.push(label);
  starts.push(static_cast<std::int32_t>(values.size()));
  lines.push(static_cast<std::int32_t>(line));
}

void Parsed::drop_row() {
  const auto filled = static_cast<std::size_t>(starts[starts.size() - 1]);
  values.cut(filled);
  indices.cut(filled);
  while (!waiting.empty() && waiting.back() >= filled) waiting.pop_back();
}

void Parsed::blame(std::int64_t line, std::size_t column, std::string_view token, std::string rule) {
  constexpr std::size_t kShown = 60;
  fault_lines.push_back(line);
  if (faults.size() == kFaultsKept) return;
  faults.push_back({line, static_cast<std::int64_t>(column), std::string(token.substr(0, kShown)), std::move(rule)});
}

std::int64_t Parsed::settle(Vocabulary& vocabulary) {
  // A row that was dropped may have left names behind which nobody uses: columns go by use.
  std::vector<std::uint32_t> columns(fresh.size(), kUnknown);
  std::int64_t left_out = 0;
  for (const std::uint32_t k : waiting) {
    const auto name = static_cast<std::size_t>(indices[k]);
    if (columns[name] == kUnknown) columns[name] = vocabulary.add(Key(fresh.at(name)));
    indices[k] = static_cast<std::int32_t>(columns[name]);
    left_out += columns[name] == kUnknown;
  }
  waiting.clear();
  if (left_out == 0) return 0;
  std::size_t kept = 0, k = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    for (const auto end = static_cast<std::size_t>(starts[row + 1]); k < end; ++k) {
      if (indices[k] < 0) continue;
      values[kept] = values[k];
      indices[kept++] = indices[k];
    }
    starts[row + 1] = static_cast<std::int32_t>(kept);
  }
  values.cut(kept);
  indices.cut(kept);
  return left_out;
}

}  // namespace noregret
