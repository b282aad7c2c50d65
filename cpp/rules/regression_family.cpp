#include "prank.hpp"
#include "regression.hpp"
#include "ridge.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_regression(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<WidrowHoff, PaRegression, QuantileRegression, Full<Forecaster>, Mean, LastValue, Prank>(rule, parameters, bias);
}

}  // namespace noregret
