#include "kernel_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace noregret::certify {
namespace {

constexpr double kEpsilon = 0x1p-52;
constexpr double kExact = 0x1p53;

// A number and how far from the truth it may be.
struct About {
  double value, error;
};

struct Product {
  double sum, size;  // ⟨x, z⟩ and Σ|x·z|
};

bool are_whole(const CellRows& x) {
  return std::all_of(x.values, x.values + x.starts[x.rows], [](double value) { return std::floor(value) == value; });
}

About power(double base, double off, double degree) {
  double value = 1.0;
  for (double k = 0.0; k < degree; k += 1.0) value *= base;
  const double size = std::fabs(base) + off;
  return {value, degree * (2.0 * off + 4.0 * kEpsilon * size) * std::pow(size, degree - 1.0)};
}

About between(const Kernel& kernel, const Product& product, std::size_t terms, const Product& x, const Product& z, bool whole) {
  const double rounding = (static_cast<double>(terms) + 8.0) * kEpsilon;
  const double off = whole && product.size < kExact ? 0.0 : rounding * product.size;
  if (kernel.kind == 0) return {product.sum, off};
  if (kernel.kind == 1) return power(product.sum + kernel.offset, off, kernel.degree);
  const double apart = std::max(x.sum + z.sum - 2.0 * product.sum, 0.0);
  const double slack = kernel.gamma * 2.0 * rounding * (x.sum + z.sum + 2.0 * product.size);
  return {std::exp(-kernel.gamma * apart), std::min(std::expm1(std::min(slack, 1.0)) + 8.0 * kEpsilon, 1.0)};  // both lie between 0 and 1
}

Product square(const CellRows& x, std::size_t r) {
  double sum = 0.0;
  for (std::size_t k = x.begin(r); k < x.end(r); ++k) sum += x.values[k] * x.values[k];
  return {sum, sum};
}

}  // namespace

void kernel_scores(const Kernel& kernel, const CellRows& x, const CellRows& z, const double* coefficients, std::size_t functions, double* low, double* high,
                   double* own) {
  std::int32_t widest = -1;
  for (const CellRows* one : {&x, &z}) widest = std::max(widest, std::accumulate(one->columns, one->columns + one->starts[one->rows], widest, [](auto a, auto b) { return std::max(a, b); }));
  std::vector<double> spread(static_cast<std::size_t>(widest + 1), 0.0), sums(functions), sizes(functions), errors(functions);
  std::vector<Product> lengths(z.rows);
  for (std::size_t s = 0; s < z.rows; ++s) lengths[s] = square(z, s);
  const bool whole = are_whole(x) && are_whole(z) && std::floor(kernel.offset) == kernel.offset;
  std::vector<char> whole_functions(functions);
  for (std::size_t f = 0; f < functions; ++f) {
    whole_functions[f] = std::all_of(coefficients + f * z.rows, coefficients + (f + 1) * z.rows, [](double a) { return std::floor(a) == a; });
  }
  for (std::size_t r = 0; r < x.rows; ++r) {
    const Product length = square(x, r);
    const std::size_t terms = x.end(r) - x.begin(r);
    const About self = between(kernel, length, terms, length, length, whole);
    own[r] = self.value + self.error;
    for (std::size_t k = x.begin(r); k < x.end(r); ++k) spread[static_cast<std::size_t>(x.columns[k])] = x.values[k];
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(sizes.begin(), sizes.end(), 0.0);
    std::fill(errors.begin(), errors.end(), 0.0);
    for (std::size_t s = 0; s < z.rows; ++s) {
      Product product{0.0, 0.0};
      for (std::size_t k = z.begin(s); k < z.end(s); ++k) {
        const double term = z.values[k] * spread[static_cast<std::size_t>(z.columns[k])];
        product.sum += term;
        product.size += std::fabs(term);
      }
      const About near = between(kernel, product, std::max(terms, z.end(s) - z.begin(s)), length, lengths[s], whole);
      for (std::size_t f = 0; f < functions; ++f) {
        const double term = coefficients[f * z.rows + s] * near.value;
        sums[f] += term;
        sizes[f] += std::fabs(term);
        errors[f] += std::fabs(coefficients[f * z.rows + s]) * near.error;
      }
    }
    for (std::size_t f = 0; f < functions; ++f) {
      const bool exact = errors[f] == 0.0 && sizes[f] < kExact && whole_functions[f] && whole && kernel.kind != 2;
      const double error = exact ? 0.0 : errors[f] * (1.0 + 1e-9) + (static_cast<double>(z.rows) + 4.0) * kEpsilon * sizes[f];
      low[f * x.rows + r] = sums[f] - error;
      high[f * x.rows + r] = sums[f] + error;
    }
    for (std::size_t k = x.begin(r); k < x.end(r); ++k) spread[static_cast<std::size_t>(x.columns[k])] = 0.0;
  }
}

void kernel_matrix(const Kernel& kernel, const CellRows& z, double* into) {
  std::int32_t widest = -1;
  for (std::int64_t k = 0; k < z.starts[z.rows]; ++k) widest = std::max(widest, z.columns[k]);
  std::vector<double> spread(static_cast<std::size_t>(widest + 1), 0.0);
  std::vector<Product> lengths(z.rows);
  for (std::size_t s = 0; s < z.rows; ++s) lengths[s] = square(z, s);
  for (std::size_t r = 0; r < z.rows; ++r) {
    for (std::size_t k = z.begin(r); k < z.end(r); ++k) spread[static_cast<std::size_t>(z.columns[k])] = z.values[k];
    for (std::size_t s = 0; s <= r; ++s) {
      double sum = 0.0;
      for (std::size_t k = z.begin(s); k < z.end(s); ++k) sum += z.values[k] * spread[static_cast<std::size_t>(z.columns[k])];
      const double near = between(kernel, {sum, std::fabs(sum)}, z.end(r) - z.begin(r), lengths[r], lengths[s], false).value;
      into[r * z.rows + s] = into[s * z.rows + r] = near;
    }
    for (std::size_t k = z.begin(r); k < z.end(r); ++k) spread[static_cast<std::size_t>(z.columns[k])] = 0.0;
  }
}

}  // namespace noregret::certify
