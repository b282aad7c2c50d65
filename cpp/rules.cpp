// The families of native rules, each compiled by itself.
#include "rules.hpp"

#include "group/group.hpp"
#include "refusal.hpp"

namespace noregret {

Learner::~Learner() = default;

// The same kind of learner, which has met the same features and scales them alike.
bool Learner::stands_beside(const Learner& other) const {
  if (std::string(rule_name()) != other.rule_name() || bias != other.bias || scaler.kind() != other.scaler.kind() || !(features == other.features)) return false;
  const std::size_t statistics = scaler.lane_names().size(), first = lanes.count() - statistics;
  if (statistics == 0) return true;
  if (lanes.size() != other.lanes.size()) return false;
  for (std::size_t lane = first; lane < lanes.count(); ++lane) {
    if (!std::equal(lanes[lane] + kBias, lanes[lane] + lanes.size(), other.lanes[lane] + kBias)) return false;
  }
  return true;
}

std::unique_ptr<Learner> make_learner(const std::string& rule, const Numbers& parameters, bool bias, Scale scale) {
  for (const auto& family : {make_perceptron, make_winnow, make_gradient, make_margin, make_second_order, make_confidence,
                             make_kernel, make_regression, make_baseline}) {
    if (auto made = family(rule, parameters, bias)) {
      made->scale_rows(scale);
      return made;
    }
  }
  throw Refusal("BadParameter", "the core has no rule called " + rule);
}

}  // namespace noregret
