// Voted Perceptron: w learns as the Perceptron does; what predicts is a vote of all that it was, each with as many votes
// as labelled rounds it lived through.                                                          Freund & Schapire 1999
//
// A mistake is kept as its step s = weight·y·x, with the round that it was made in, so that the scores ⟨w₀ + s₁ + … + sₖ, x⟩
// are one sum over what is kept, looked at after every step. Beyond the budget the oldest step goes into w₀ (the lane
// "base"): its w gives up its votes, and every later one is what it was.
#pragma once

#include <type_traits>

#include "rule.hpp"

namespace noregret {

// A row times a number.
template <class Row>
struct Times {
  const Row& x;
  double step;
  void each(auto&& visit) const {
    x.each([&](auto slot, double value) { visit(slot, step * value); });
  }
};

struct VotedPerceptron {
  static constexpr const char* kName = "voted-perceptron";
  static constexpr std::array kLanes{"weight", "base"};
  static constexpr bool kDistinct = true;
  static constexpr bool kSupports = true;  // the coefficient of a step is the round that it was made in

  double budget = 0.0;     // 0: none
  double rounds = 0.0;     // T
  double since = 1.0;      // the first round whose votes are counted
  double supports = 0.0;
  double potential = 0.0;  // ‖w‖²

  void each_parameter(auto&& visit) { visit("budget", budget); }
  void each_scalar(auto&& visit) {
    visit("rounds", rounds);
    visit("since", since);
    visit("supports", supports);
    visit("potential", potential);
  }

  double initial(std::size_t) const { return 0.0; }
  double predict(double score) const { return sign(score); }
  double loss(double score, double y) const { return perceptron_loss(score, y); }

  void tick() { rounds += 1.0; }

  // The mean vote; NaN when the values are not finite, or ‖x‖² or a score is not.
  double score_by(const Lanes& lanes, const auto& x) const {
    const double square = lanes.spread.lay(x, lanes.size());
    double sum = 0.0, vote = 0.0, born = since;
    const auto known = static_cast<std::ptrdiff_t>(lanes.size());
    x.each([&](std::ptrdiff_t slot, double value) { sum += (slot < known ? lanes[1][slot] : 0.0) * value; });
    for (std::size_t k = 0; k < lanes.supports.size(); ++k) {
      vote += (lanes.supports.coefficient(k) - born) * sign(sum);
      sum += lanes.spread.times(lanes.supports.row(k));
      born = lanes.supports.coefficient(k);
    }
    vote += (rounds + 1.0 - born) * sign(sum);
    return std::isfinite(square) && std::isfinite(sum) ? vote / larger(rounds + 1.0 - since, 1.0)
                                                       : std::numeric_limits<double>::quiet_NaN();
  }

  bool learn(Lanes& lanes, const auto& x, double y, double, double weight) {
    double own = 0.0;
    x.each([&](auto slot, double value) { own += lanes[0][slot] * value; });
    if (!std::isfinite(own)) refuse_overflow();
    if (sign(own) == y) return false;
    const double step = weight * y;
    potential += add(lanes, 0, step, x, potential);
    lanes.supports.add(rounds, Times<std::remove_cvref_t<decltype(x)>>{x, step}, 0.0);
    if (budget > 0.0 && static_cast<double>(lanes.supports.size()) > budget) forget_oldest(lanes);
    supports = static_cast<double>(lanes.supports.size());
    return true;
  }

 private:
  void forget_oldest(Lanes& lanes) {
    lanes.supports.row(0).each([&](auto slot, double value) { lanes[1][slot] += value; });
    since = lanes.supports.coefficient(0);
    lanes.supports.drop_oldest();
  }
};

}  // namespace noregret
