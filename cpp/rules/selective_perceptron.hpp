// Selective sampling Perceptron: asks for the label with probability b/(b + |score|), more often the less sure
// it is, until its budget is spent; on a mistake that it asked about, w ← w + η·y·x.
//                                                   Cesa-Bianchi, Gentile & Zaniboni 2006
#pragma once

#include "coin.hpp"
#include "rule.hpp"

namespace noregret {

struct SelectivePerceptron {
  static constexpr const char* kName = "selective-perceptron";
  static constexpr std::array kLanes{"weight"};

  double smoothing = 1.0;                                     // b
  double budget = std::numeric_limits<double>::infinity();    // labels it may ask for
  double seed = 0.0;
  double rounds = 0.0, asked = 0.0;
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) {
    visit("smoothing", smoothing);
    visit("budget", budget);
    visit("seed", seed);
  }
  void each_scalar(auto&& visit) {
    visit("rounds", rounds);
    visit("asked", asked);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  // Whether it would ask for the label of a row with this score. The coin is thrown by the score too, so that rows
  // whose label it did not want, and of which it never hears again, have coins of their own.
  bool asks(double score) const {
    const double thrown = coin(seed, rounds + 1.0, std::bit_cast<std::uint64_t>(score));
    return asked < budget && thrown * (smoothing + std::abs(score)) < smoothing;
  }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    const bool wanted = asks(score), wrong = wanted && predict(score) != y;
    if (wrong) potential += add(lanes, 0, weight * y, x, potential);
    rounds += 1.0;
    asked += wanted ? 1.0 : 0.0;
    return wrong;
  }
};

}  // namespace noregret
