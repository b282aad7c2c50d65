// The parameters and the running numbers of a rule, by name: from one list, which the rule visits itself.
#pragma once

#include "learner.hpp"

namespace noregret {

template <class Rule>
Numbers parameters_of(Rule rule) {
  Numbers numbers;
  rule.each_parameter([&](const char* name, double& value) { numbers[name] = value; });
  return numbers;
}

template <class Rule>
Numbers scalars_of(Rule rule) {
  Numbers numbers;
  rule.each_scalar([&](const char* name, double& value) { numbers[name] = value; });
  return numbers;
}

template <class Rule>
void set_scalars_of(Rule& rule, const Numbers& numbers) {
  rule.each_scalar([&](const char* name, double& value) { value = numbers.at(name); });
}

}  // namespace noregret
