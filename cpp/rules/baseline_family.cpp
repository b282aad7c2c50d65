#include "last_label.hpp"
#include "majority.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_baseline(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<LastLabel, Majority>(rule, parameters, bias);
}

}  // namespace noregret
