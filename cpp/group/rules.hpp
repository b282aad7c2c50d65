// The rules whose learners can stand side by side: lane-wise, with a score that is a sum.
#pragma once

#include <tuple>

#include "../rules/perceptron.hpp"

namespace noregret::group {

using Rules = std::tuple<Perceptron>;

}  // namespace noregret::group
