// The families of native rules, each compiled by itself.
#include "rules.hpp"

#include "refusal.hpp"

namespace noregret {

std::unique_ptr<Learner> make_learner(const std::string& rule, const Numbers& parameters, bool bias) {
  for (const auto& family : {make_perceptron, make_winnow, make_gradient, make_margin, make_second_order, make_confidence,
                             make_regression, make_baseline}) {
    if (auto made = family(rule, parameters, bias)) return made;
  }
  throw Refusal("BadParameter", "the core has no rule called " + rule);
}

}  // namespace noregret
