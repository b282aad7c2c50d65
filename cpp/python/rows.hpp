// The arrays of numpy that go with the rows of a matrix, held while a loop uses them.
#pragma once

#include <optional>

#include "../learner.hpp"
#include "arrays.hpp"
#include "buffer.hpp"
#include "matrix.hpp"

namespace noregret {

// Rows with their labels, and their weights where there are some.
struct LabelledRows {
  LabelledRows(const Matrix& matrix, nanobind::handle labels, nanobind::handle weights) : block(matrix.block()), label_buffer(labels, "labels") {
    block.labels = sized<const double>(label_buffer, block.count);
    if (!weights.is_none()) block.weights = sized<const double>(weight_buffer.emplace(weights, "weights"), block.count);
  }
  Block block;
  Buffer label_buffer;
  std::optional<Buffer> weight_buffer;
};

// Where a loop writes what was said: arrays, or nowhere.
struct Outputs {
  Outputs(nanobind::handle predictions, nanobind::handle scores, std::size_t count) {
    if (!predictions.is_none()) said.predictions = sized<double>(prediction_buffer.emplace(predictions, "predictions", true), count);
    if (!scores.is_none()) said.scores = sized<double>(score_buffer.emplace(scores, "scores", true), count);
  }
  std::optional<Buffer> prediction_buffer, score_buffer;
  Said said;
};

}  // namespace noregret
