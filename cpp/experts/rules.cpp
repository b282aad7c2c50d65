// The one list of expert rules. A new rule is a header here and a line below.
#include "adahedge.hpp"
#include "boa.hpp"
#include "fixed_share.hpp"
#include "follow_leader.hpp"
#include "hedge.hpp"
#include "majority.hpp"
#include "mlpol.hpp"
#include "mlprod.hpp"
#include "ridge.hpp"
#include "squint.hpp"

namespace noregret::experts {

std::unique_ptr<Rule> make_rule(const std::string& name, std::size_t n, const Numbers& parameters) {
  if (n == 0) throw Refusal("BadParameter", "there must be at least one expert");
  if (name == "wm") return std::make_unique<WeightedMajority>(n, parameters);
  if (name == "rwm") return std::make_unique<RandomizedMajority>(n, parameters);
  if (name == "hedge" || name == "eg") return std::make_unique<Hedge>(n, parameters);
  if (name == "adahedge") return std::make_unique<AdaHedge>(n, parameters);
  if (name == "ftl") return std::make_unique<FollowTheLeader>(n, parameters);
  if (name == "fixed-share") return std::make_unique<FixedShare>(n, parameters);
  if (name == "squint") return std::make_unique<Squint>(n, parameters);
  if (name == "mlprod") return std::make_unique<MLProd>(n, parameters);
  if (name == "boa") return std::make_unique<Boa>(n, parameters);
  if (name == "mlpol") return std::make_unique<MLPol>(n, parameters);
  if (name == "expert-ridge") return std::make_unique<Ridge>(n, parameters);
  throw Refusal("BadParameter", "the core has no expert rule called " + name);
}

}  // namespace noregret::experts
