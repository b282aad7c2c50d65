#include "averaged_perceptron.hpp"
#include "perceptron.hpp"
#include "selective_perceptron.hpp"

#include "../rules.hpp"
#include "choose.hpp"

namespace noregret {

std::unique_ptr<Learner> make_perceptron(const std::string& rule, const Numbers& parameters, bool bias) {
  return choose<Perceptron, AveragedPerceptron, SelectivePerceptron>(rule, parameters, bias);
}

}  // namespace noregret
