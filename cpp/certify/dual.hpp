// Witnesses found by descent on the dual: the u of least ½‖u‖² + C·Σ ℓ(y⟨u,x⟩), ℓ the hinge or half its square.
//                                      Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, A dual coordinate descent method for large-scale linear SVM
#pragma once

#include "cells.hpp"

namespace noregret::certify {

struct DualProblem {
  CellRows rows;
  const double* labels;   // −1 and +1
  const double* squares;  // ‖x‖², the bias included
  bool bias;              // a feature that is always 1, behind the others
  double limit;           // C for the hinge; infinity for a hard margin and for the squared hinge
  double diagonal;        // 0 for the hinge, 1/C for half the squared hinge
};

// Continues from `alpha`, to which u = Σ α·y·x belongs, until no α violates its condition by more than `tolerance` or the epochs are over.
// Gives how many epochs were made.
std::size_t descend(const DualProblem& problem, double* alpha, double* u, std::size_t width, std::size_t epochs, double tolerance, std::uint64_t seed);

// Mixtures v ∝ exp(θ) (signed: over x and −x): exponentiated gradient on Σ max(0, ρ − y⟨v,x⟩), the rate a fixed number. `snapshots` receives
// v after each epoch, width numbers each (signed: v⁺ − v⁻).
struct MixtureProblem {
  CellRows rows;
  const double* labels;
  bool bias, is_signed;
  double margin, rate;
};
void descend_mixture(const MixtureProblem& problem, std::size_t width, std::size_t epochs, std::uint64_t seed, double* snapshots);

}  // namespace noregret::certify
