// From a name and parameters to a learner, for a list of rules.
#pragma once

#include "../engine.hpp"

namespace noregret {

template <class Rule>
Rule with_parameters(const Numbers& parameters) {
  Rule rule;
  std::size_t used = 0;
  rule.each_parameter([&](const char* name, double& value) {
    const auto given = parameters.find(name);
    if (given == parameters.end()) return;
    value = given->second;
    ++used;
  });
  if (used != parameters.size()) throw Refusal("BadParameter", std::string(Rule::kName) + " was given a parameter it does not have");
  return rule;
}

// Null when none of the rules has the name.
template <class... Rule>
std::unique_ptr<Learner> choose(const std::string& name, const Numbers& parameters, bool bias) {
  std::unique_ptr<Learner> made;
  ((name == Rule::kName ? void(made = std::make_unique<Engine<Rule>>(with_parameters<Rule>(parameters), bias)) : void()), ...);
  return made;
}

}  // namespace noregret
