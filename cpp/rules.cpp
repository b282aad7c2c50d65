// The one list of native rules. A new rule is a header in rules/ and a line here.
#include "engine.hpp"
#include "rules/balanced_winnow.hpp"
#include "rules/last_label.hpp"
#include "rules/majority.hpp"
#include "rules/normalized_winnow.hpp"
#include "rules/perceptron.hpp"
#include "rules/winnow.hpp"

namespace noregret {
namespace {

template <class Rule>
std::unique_ptr<Learner> build(const Numbers& parameters, bool bias) {
  Rule rule;
  std::size_t used = 0;
  rule.each_parameter([&](const char* name, double& value) {
    const auto given = parameters.find(name);
    if (given == parameters.end()) return;
    value = given->second;
    ++used;
  });
  if (used != parameters.size()) throw Refusal("BadParameter", std::string(Rule::kName) + " was given a parameter it does not have");
  return std::make_unique<Engine<Rule>>(rule, bias);
}

template <class... Rule>
std::unique_ptr<Learner> choose(const std::string& name, const Numbers& parameters, bool bias) {
  std::unique_ptr<Learner> made;
  ((name == Rule::kName ? void(made = build<Rule>(parameters, bias)) : void()), ...);
  if (!made) throw Refusal("BadParameter", "the core has no rule called " + name);
  return made;
}

}  // namespace

std::unique_ptr<Learner> make_learner(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<Perceptron, Winnow, NormalizedWinnow, BalancedWinnow, LastLabel, Majority>(rule, parameters, bias);
}

}  // namespace noregret
