// What a formula may ask of a number, so that it can be written once for a number and for a vector of them.
#pragma once

#include <cmath>

namespace noregret {

inline double larger(double a, double b) { return a > b ? a : b; }
inline double smaller(double a, double b) { return a < b ? a : b; }
inline double root(double a) { return std::sqrt(a); }
inline double if_positive(double a, double b) { return a > 0.0 ? b : 0.0; }  // b where a > 0, else 0

}  // namespace noregret
