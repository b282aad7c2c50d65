#include "alma.hpp"
#include "passive_aggressive.hpp"
#include "romma.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_margin(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<PassiveAggressive, PassiveAggressiveOne, PassiveAggressiveTwo, Alma, Romma>(rule, parameters, bias);
}

}  // namespace noregret
