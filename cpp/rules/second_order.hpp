// What second-order rules share. A method says when it moves and how far; with v = xᵀΣx its step is a pair (a, k):
//
//   w ← w + a·Σx,   Σ⁻¹ ← Σ⁻¹ + k·xxᵀ
//
// Σ is a full matrix, or only its diagonal is kept (Σ⁻¹ᵢᵢ ← Σ⁻¹ᵢᵢ + k·xᵢ²). A method declares kName, kFull (the name of its
// full form), each_parameter, variance() (of a feature not met), predict, loss, moves(y, score) and plan(y, score, v, weight).
#pragma once

#include "rule.hpp"

namespace noregret {

// Contradictions halve a variance again and again, and it must not vanish: so much is added to what is left of it.
inline constexpr double kLeast = 1e-100;

struct SecondOrder {
  double potential = 0.0;  // ‖w‖²

  void each_scalar(auto&& visit) { visit("potential", potential); }
  double variance() const { return 1.0; }
  double predict(double score) const { return sign(score); }
};

template <class Method>
struct Diagonal : Method {
  static constexpr std::array kLanes{"weight", "variance"};

  double initial(std::size_t lane) const { return lane == 0 ? 0.0 : this->variance(); }
  static auto measure(const auto& at, auto value) { return at[1] * value * value; }
  static void apply(auto& at, auto value, const auto& step) {
    at[0] += step[0] * at[1] * value;
    at[1] = at[1] / (1.0 + step[1] * at[1] * value * value) + kLeast;
  }
};

template <class Method>
struct Full : Method {
  static constexpr const char* kName = Method::kFull;
  static constexpr const char* kMatrix = "covariance";
  static constexpr std::array kLanes{"weight"};
  static constexpr bool kDistinct = true;

  double initial(std::size_t) const { return 0.0; }

  bool learn(Lanes& lanes, const auto& x, double y, double score, double weight) {
    if (!this->moves(y, score)) return false;
    Square& square = lanes.square;
    const std::size_t known = square.size();
    square.meet(x, this->variance());
    if (learn_met(lanes, known, x, y, score, weight)) return true;
    square.forget(known);
    return false;
  }

 private:
  // Learns from a row whose features have their places; false when there was no step to take, and all is as it was.
  bool learn_met(Lanes& lanes, std::size_t known, const auto& x, double y, double score, double weight) {
    Square& square = lanes.square;
    const std::size_t size = square.size();
    double* moved = lanes.undo(2 * size);  // Σx, then what it makes of Σ
    double* after = moved + size;          // the weights to be
    const double v = multiply(square, x, moved);
    const Step step = this->plan(y, score, v, weight);
    if (step == Step{}) return false;
    const double change = move_weights(lanes, moved, after, step[0]);
    const double scale = std::sqrt(step[1] / (1.0 + step[1] * v));
    double reach = 0.0;
    for (std::size_t p = 0; p < size; ++p) {
      moved[p] *= scale;
      reach += moved[p] * moved[p];
    }
    if (!std::isfinite(this->potential + change + reach)) {
      lanes.square.forget(known);
      throw Refusal("BadInput", "learning from this row would overflow: features that differ so much in size are too much for a full "
                                "covariance; take scale=standard, or a larger ridge");
    }
    for (std::size_t p = 0; p < size; ++p) lanes[0][square.slots()[p]] = after[p];
    shrink(square, moved);
    this->potential += change;
    return true;
  }

  // Σx by the rows of the features present, each in one sweep; gives xᵀΣx.
  static double multiply(Square& square, const auto& x, double* product) {
    const std::size_t size = square.size();
    std::fill_n(product, size, 0.0);
    x.each([&](std::ptrdiff_t slot, double value) {
      if (value == 0.0) return;
      const double* row = square.row(square.place(slot));
      for (std::size_t p = 0; p < size; ++p) product[p] += row[p] * value;
    });
    double v = 0.0;
    x.each([&](std::ptrdiff_t slot, double value) {
      if (value != 0.0) v += product[square.place(slot)] * value;
    });
    return v < 0.0 ? 0.0 : v;  // rounding only: Σ is positive
  }

  // The weights after w + step·Σx; gives the change of ‖w‖².
  static double move_weights(const Lanes& lanes, const double* moved, double* after, double step) {
    double change = 0.0;
    for (std::size_t p = 0; p < lanes.square.size(); ++p) {
      const double before = lanes[0][lanes.square.slots()[p]];
      after[p] = before + step * moved[p];
      change += (after[p] - before) * (after[p] + before);
    }
    return change;
  }

  // Σ ← Σ − ssᵀ. A product is the same from both sides, so Σ stays symmetric to the bit.
  static void shrink(Square& square, const double* s) {
    const std::size_t size = square.size();
    for (std::size_t p = 0; p < size; ++p) {
      const double here = s[p];
      if (here == 0.0) continue;
      double* row = square.row(p);
      for (std::size_t q = 0; q < size; ++q) row[q] -= here * s[q];
      row[p] += kLeast;
    }
  }
};

}  // namespace noregret
