// f(x) = Σ a·K(z, x) of every row x for several functions f over the same examples z, from below and from above.
#pragma once

#include "cells.hpp"

namespace noregret::certify {

struct Kernel {
  int kind;  // 0 linear, 1 polynomial, 2 gaussian
  double gamma, degree, offset;
};

// `coefficients` has one number for each function and example, functions × examples; low and high are functions × rows.
// `own` receives K(x, x) of every row, rounded up.
void kernel_scores(const Kernel& kernel, const CellRows& x, const CellRows& z, const double* coefficients, std::size_t functions, double* low, double* high,
                   double* own);

// K(z, z') for all pairs of rows, about: rows × rows.
void kernel_matrix(const Kernel& kernel, const CellRows& z, double* into);

}  // namespace noregret::certify
