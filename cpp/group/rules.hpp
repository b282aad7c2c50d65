// The rules whose learners can stand side by side: lane-wise, with a score that is a sum.
#pragma once

#include <tuple>

#include "../rules/adagrad.hpp"
#include "../rules/confidence.hpp"
#include "../rules/least_squares.hpp"
#include "../rules/newton.hpp"
#include "../rules/ogd.hpp"
#include "../rules/passive_aggressive.hpp"
#include "../rules/perceptron.hpp"

namespace noregret::group {

using Rules = std::tuple<Perceptron, Ogd, AdaGrad, AveragingAdaGrad, PassiveAggressive, PassiveAggressiveOne, PassiveAggressiveTwo,
                         Diagonal<Sop>, Diagonal<Arow>, Diagonal<Nherd>, Diagonal<Newton>, Diagonal<Cw>, Diagonal<Scw1>, Diagonal<Scw2>>;

}  // namespace noregret::group
