#include "rule.hpp"

#include <algorithm>

namespace noregret::experts {

double Rule::own(const double* row, const double* w) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (awake(row, i)) sum += w[i] * row[i];
  }
  return sum;
}

double Rule::round(const double* row, const Seen&) {
  weigh(row, weights_.data());
  const double suffers = own(row, weights_.data());
  learn(row, suffers);
  return suffers;
}

double Rule::predict(const double* said, const double* w, const Loss& loss) const {
  if (loss.kind != LossKind::zero_one) {
    double mixture = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (awake(said, i)) mixture += w[i] * said[i];
    }
    return mixture;
  }
  return vote(said, w);
}

double Rule::vote(const double* said, const double* w) const {
  std::vector<std::pair<double, double>> labels;  // few: label, weight
  for (std::size_t i = 0; i < n; ++i) {
    if (!awake(said, i)) continue;
    auto found = std::find_if(labels.begin(), labels.end(), [&](const auto& label) { return label.first == said[i]; });
    if (found == labels.end()) found = labels.insert(labels.end(), {said[i], 0.0});
    found->second += w[i];
  }
  auto best = labels.front();
  for (const auto& [label, weight] : labels) {
    const bool first = label == 1.0 || (best.first != 1.0 && label < best.first);
    if (weight > best.second || (weight == best.second && first)) best = {label, weight};
  }
  return best.first;
}

std::vector<Scalar> Rule::scalars() {
  return {{"rounds", &rounds}, {"loss", &loss},       {"suffered", &suffered}, {"lowest", &lowest}, {"highest", &highest},
          {"widest", &widest}, {"squares", &squares}, {"slept", &slept},     {"waited", &waited},     {"joined", &joined}, {"linearised", &linearised}};
}

void Rule::grow(std::size_t count) {
  if (rounds > 0.0) joined += static_cast<double>(count);
  for (const Lane& lane : lanes()) {
    lane.values->resize(n);
    lane.values->resize(n + count, lane.fresh);
    lane.values->resize(padded(n + count), 0.0);
  }
  n += count;
  pad(total, std::numeric_limits<double>::infinity());
  weights_.resize(padded(n));
  losses_.resize(padded(n));
}

Seen Rule::inspect(const double* row) const {
  const Seen seen = kernels().inspect(row, n);
  if (seen.asleep == n) throw Refusal("BadInput", "every expert is asleep; at least one must say something");
  if (seen.low < -kLargest || seen.high > kLargest) {
    throw Refusal("BadInput", "a loss is infinite or beyond 1e100; scale the losses down");
  }
  return seen;
}

void Rule::account(const Seen& seen, double own) {
  lowest = rounds == 0.0 ? seen.low : std::min(lowest, seen.low);
  highest = rounds == 0.0 ? seen.high : std::max(highest, seen.high);
  rounds += 1.0;
  loss += own;  // in plain order, like the totals; doubling adds its epochs up apart, and may differ in the last bit
  const double spread = seen.high - seen.low;
  widest = std::max(widest, spread);
  squares += spread * spread;
  slept += static_cast<double>(seen.asleep);
}

double Rule::play(const double* row) {
  if (wants_advice()) throw Refusal("BadType", "this rule needs advice and truth, not a row of losses");
  return play_row(row);
}

double Rule::play_row(const double* row) {
  Seen seen;
  double suffers;
  if (!quick(row, seen, suffers)) {
    seen = inspect(row);
    suffers = round(row, seen);
  }
  account(seen, suffers);
  return suffers;
}

double Rule::say(const double* said, const Loss& loss) {
  std::size_t sleeping = 0;
  for (std::size_t i = 0; i < n; ++i) {
    loss.require_advice(said[i]);
    sleeping += !awake(said, i);
  }
  if (sleeping == n) throw Refusal("BadInput", "every expert is asleep; at least one must say something");
  weigh(said, weights_.data());
  return predict(said, weights_.data(), loss);
}

const double* Rule::priced(const double* said, double prediction, double truth, const Loss& loss, bool gradient) {
  const double slope = gradient ? loss.slope(prediction, truth) : 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    // From the prediction, not from 0: the same regrets, and no digits lost.
    losses_[i] = !awake(said, i) ? said[i] : gradient ? slope * (said[i] - prediction) : loss.value(said[i], truth);
  }
  return losses_.data();
}

double Rule::play(const double* said, double truth, const Loss& loss, bool gradient, double& own_loss, double* history) {
  loss.require_truth(truth);
  const double prediction = say(said, loss);
  if (history != nullptr) std::copy_n(weights_.data(), n, history);
  const Advice advice{said, prediction, truth};
  const double* row = priced(said, prediction, truth, loss, gradient);
  const Now now(*this, advice);
  play_row(row);
  linearised += gradient;
  own_loss = loss.value(prediction, truth);
  suffered += own_loss;
  return prediction;
}

void Rule::learn_late(const double* said, double prediction, const double* w_then, double waiting, double truth,
                      const Loss& loss, bool gradient, double& own_loss) {
  loss.require_truth(truth);
  const Advice advice{said, prediction, truth};
  const double* row = priced(said, prediction, truth, loss, gradient);
  const Seen seen = inspect(row);
  const Now now(*this, advice);
  const double suffers = own(row, w_then);
  finish(row, seen, suffers);
  account(seen, suffers);
  waited += waiting;
  linearised += gradient;
  own_loss = loss.value(prediction, truth);
  suffered += own_loss;
}

void Rule::exponential_weights(const std::vector<double>& exponent, const double* row, double rate, double* w) const {
  double center = rate > 0.0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    if (awake(row, i)) center = rate > 0.0 ? std::max(center, exponent[i]) : std::min(center, exponent[i]);
  }
  const double sum = kernels().exponentials(exponent.data(), row, w, n, rate, center);
  for (std::size_t i = 0; i < n; ++i) w[i] /= sum;
}

}  // namespace noregret::experts
