#include "least_squares.hpp"
#include "newton.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_second_order(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<Diagonal<Sop>, Full<Sop>, Diagonal<Arow>, Full<Arow>, Diagonal<Nherd>, Full<Nherd>, Diagonal<Newton>, Full<Newton>>(
      rule, parameters, bias);
}

}  // namespace noregret
