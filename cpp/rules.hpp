// One function a family of rules: a learner, or null when the name is not one of theirs. A new rule is a header in
// rules/ and a line in the file of its family.
#pragma once

#include <memory>
#include <string>

#include "learner.hpp"

namespace noregret {

std::unique_ptr<Learner> make_perceptron(const std::string& rule, const Numbers& parameters, bool bias);
std::unique_ptr<Learner> make_winnow(const std::string& rule, const Numbers& parameters, bool bias);
std::unique_ptr<Learner> make_confidence(const std::string& rule, const Numbers& parameters, bool bias);
std::unique_ptr<Learner> make_second_order(const std::string& rule, const Numbers& parameters, bool bias);
std::unique_ptr<Learner> make_baseline(const std::string& rule, const Numbers& parameters, bool bias);
std::unique_ptr<Learner> make_gradient(const std::string& rule, const Numbers& parameters, bool bias);
std::unique_ptr<Learner> make_margin(const std::string& rule, const Numbers& parameters, bool bias);

}  // namespace noregret
