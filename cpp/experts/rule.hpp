// What every expert rule is: weights over n experts, and how losses change them.
//
// A rule of this folder says what it keeps for each expert (lanes) and for itself (scalars); save,
// clone and inspection follow from that. It answers `weigh` and `learn`, and may answer `round` faster.
//
// An expert that sleeps (NaN) weighs nothing, and is charged what the rule itself suffered, so that its regret
// does not move: the theorems then speak of the rounds in which it was awake (Freund et al. 1997).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../refusal.hpp"
#include "kernels.hpp"
#include "losses.hpp"
#include "wide.hpp"

namespace noregret::experts {

using Numbers = std::map<std::string, double>;
constexpr double kLargest = 1e100;  // its square is still far from overflow

struct Lane {
  const char* name;
  std::vector<double>* values;  // padded; only the first n are anybody's
  double fresh;                 // what a new expert starts with
  std::size_t length = 0;       // when it is not n
};

struct Scalar {
  const char* name;
  double* value;
};

// The round as it is played with advice and truth; rules that only need losses never look.
struct Advice {
  const double* said;  // by the experts, NaN asleep
  double prediction;
  double truth;
};

class Rule {
 public:
  explicit Rule(std::size_t n) : n(n), total(padded(n), 0.0), weights_(padded(n)), losses_(padded(n)) {
    pad(total, std::numeric_limits<double>::infinity());
  }
  virtual ~Rule() = default;
  virtual std::unique_ptr<Rule> clone() const = 0;

  // The weights of this round, over those awake in `row` (null: everybody), adding up to 1.
  virtual void weigh(const double* row, double* w) const = 0;
  // Losses of everybody (sleepers have `own`), and what the rule itself suffered.
  virtual void learn(const double* row, double own) = 0;
  // Learn and close the round, for a rule that also follows the spreads or counts its rounds.
  virtual void finish(const double* row, const Seen&, double own) { learn(row, own); }
  // What the rule suffers for a row of losses, with these weights.
  virtual double own(const double* row, const double* w) const;
  // Weigh, suffer, learn; returns what the rule suffered.
  virtual double round(const double* row, const Seen& seen);
  // The same for a row in which nobody sleeps, in one pass; false when it is not such a row.
  virtual bool quick(const double*, Seen&, double&) { return false; }
  // What to say, given the advice and its weights.
  virtual double predict(const double* said, const double* w, const Loss& loss) const;

  virtual bool wants_advice() const { return false; }
  virtual std::vector<Lane> lanes() { return {{"loss", &total, loss}}; }
  virtual std::vector<Scalar> scalars();
  virtual void grow(std::size_t count);

  double play(const double* row);  // a row of losses; returns Σ p·ℓ
  // A row of advice; returns the prediction, and writes the weights behind it if anybody wants them.
  double play(const double* said, double truth, const Loss& loss, bool gradient, double& own_loss, double* history = nullptr);
  // The same when the truth comes late: the prediction and the weights are those of then.
  void learn_late(const double* said, double prediction, const double* w_then, double waiting, double truth,
                  const Loss& loss, bool gradient, double& own_loss);
  double say(const double* said, const Loss& loss);

  // The losses of the round just played with advice; those of sleepers are NaN.
  const double* priced_row() const { return losses_.data(); }

  const double* weights(const double* row) {
    weigh(row, weights_.data());
    return weights_.data();
  }

  std::size_t n;
  std::vector<double> total;  // Σ of the losses of each expert, those of sleepers being the rule's own

  double rounds = 0.0;
  double loss = 0.0;                // Σ p·ℓ
  double suffered = 0.0;            // Σ of the loss of what was said, when there was advice
  double lowest = 0.0, highest = 0.0;  // of the losses
  double widest = 0.0, squares = 0.0;  // of the spreads max ℓ − min ℓ: the largest, and Σ of squares
  double slept = 0.0;               // how many times somebody slept
  double waited = 0.0;              // Σ over the rounds of the earlier truths that were not told yet
  double linearised = 0.0;          // how many rounds were priced by the gradient trick
  double joined = 0.0;              // how many experts joined after the first round

 protected:
  static std::size_t padded(std::size_t n) { return (n + kColumns - 1) / kColumns * kColumns; }
  void pad(std::vector<double>& values, double filler) const {
    for (std::size_t i = n; i < values.size(); ++i) values[i] = filler;
  }
  // w = exp(rate·(exponent − the largest of them awake)), made to add up to 1.
  void exponential_weights(const std::vector<double>& exponent, const double* row, double rate, double* w) const;
  static bool awake(const double* row, std::size_t i) { return row == nullptr || row[i] == row[i]; }
  void charge(const double* row, double own) {
    for (std::size_t i = 0; i < n; ++i) total[i] += awake(row, i) ? row[i] : own;
  }
  double log_n() const { return std::log(static_cast<double>(n)); }

  // The label with the most weight; tied, 1 if it is among them, else the smallest.
  double vote(const double* said, const double* w) const;

  const Advice* now_ = nullptr;

 private:
  struct Now {
    Now(Rule& rule, const Advice& advice) : rule(rule) { rule.now_ = &advice; }
    ~Now() { rule.now_ = nullptr; }
    Rule& rule;
  };

  double play_row(const double* row);
  Seen inspect(const double* row) const;
  void account(const Seen& seen, double own);
  const double* priced(const double* said, double prediction, double truth, const Loss& loss, bool gradient);

  std::vector<double> weights_, losses_;
};

// Gives a rule its clone.
template <class Derived>
class Cloned : public Rule {
 public:
  using Rule::Rule;
  std::unique_ptr<Rule> clone() const override { return std::make_unique<Derived>(static_cast<const Derived&>(*this)); }
};

std::unique_ptr<Rule> make_rule(const std::string& name, std::size_t n, const Numbers& parameters);

}  // namespace noregret::experts
