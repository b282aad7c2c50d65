#include "regression.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_regression(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<WidrowHoff, PaRegression, QuantileRegression, Mean, LastValue>(rule, parameters, bias);
}

}  // namespace noregret
