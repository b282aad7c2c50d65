// Rules over several classes, and the binary ones that become such by Kesler's construction.
#include "multiclass_baselines.hpp"
#include "least_squares.hpp"
#include "multiclass_winnow.hpp"
#include "ogd.hpp"
#include "passive_aggressive.hpp"
#include "perceptron.hpp"

#include "../multiclass_engine.hpp"
#include "choose.hpp"

namespace noregret {
namespace {

template <class... Rule>
std::unique_ptr<MulticlassLearner> chosen(const std::string& name, const Numbers& parameters, bool bias) {
  std::unique_ptr<MulticlassLearner> made;
  ((name == std::string("multiclass-") + Rule::kName
        ? void(made = std::make_unique<MulticlassEngine<Rule>>(with_parameters<Rule>(parameters), bias))
        : void()),
   ...);
  return made;
}

}  // namespace

std::unique_ptr<MulticlassLearner> make_multiclass(const std::string& rule, const Numbers& parameters, bool bias, Scale scale) {
  if (auto made = chosen<Perceptron, PassiveAggressive, PassiveAggressiveOne, PassiveAggressiveTwo, Diagonal<Arow>, Ogd, MulticlassWinnow,
                         ClassMajority, LastClass>(rule, parameters, bias)) {
    made->scale_rows(scale);
    return made;
  }
  throw Refusal("BadParameter", "the core has no rule called " + rule);
}

}  // namespace noregret
