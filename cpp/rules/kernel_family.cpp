#include "kernel_perceptron.hpp"

#include "../rules.hpp"
#include "choose.hpp"
#include "voted_perceptron.hpp"

namespace noregret {

std::unique_ptr<Learner> make_kernel(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<KernelPerceptron, VotedPerceptron>(rule, parameters, bias);
}

}  // namespace noregret
