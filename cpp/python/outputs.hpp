// Where a loop writes what was said: arrays of numpy, or nowhere.
#pragma once

#include <optional>

#include "../learner.hpp"
#include "arrays.hpp"
#include "buffer.hpp"

namespace noregret {

struct Outputs {
  Outputs(nanobind::handle predictions, nanobind::handle scores, std::size_t count) {
    if (!predictions.is_none()) said.predictions = sized<double>(prediction_buffer.emplace(predictions, "predictions", true), count);
    if (!scores.is_none()) said.scores = sized<double>(score_buffer.emplace(scores, "scores", true), count);
  }
  std::optional<Buffer> prediction_buffer, score_buffer;
  Said said;
};

}  // namespace noregret
