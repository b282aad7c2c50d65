#include "kernel_perceptron.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_kernel(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<KernelPerceptron>(rule, parameters, bias);
}

}  // namespace noregret
