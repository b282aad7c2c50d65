// The families of native rules, each compiled by itself.
#include "rules.hpp"

#include "refusal.hpp"

namespace noregret {

std::unique_ptr<Learner> make_learner(const std::string& rule, const Numbers& parameters, bool bias, Scale scale) {
  for (const auto& family : {make_perceptron, make_winnow, make_baseline}) {
    if (auto made = family(rule, parameters, bias)) {
      made->scale_rows(scale);
      return made;
    }
  }
  throw Refusal("BadParameter", "the core has no rule called " + rule);
}

}  // namespace noregret
