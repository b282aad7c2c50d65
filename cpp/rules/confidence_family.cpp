#include "confidence.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_confidence(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<Diagonal<Cw>, Full<Cw>, Diagonal<Scw1>, Full<Scw1>, Diagonal<Scw2>, Full<Scw2>>(rule, parameters, bias);
}

}  // namespace noregret
