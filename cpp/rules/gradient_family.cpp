#include "adagrad.hpp"
#include "coin_betting.hpp"
#include "ftrl.hpp"
#include "ogd.hpp"
#include "regularized_ogd.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_gradient(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<Ogd, RegularizedOgd, AdaGrad, AveragingAdaGrad, Ftrl, Coin>(rule, parameters, bias);
}

}  // namespace noregret
