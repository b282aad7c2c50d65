#include "balanced_winnow.hpp"
#include "normalized_winnow.hpp"
#include "winnow.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_winnow(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<Winnow, NormalizedWinnow, BalancedWinnow>(rule, parameters, bias);
}

}  // namespace noregret
