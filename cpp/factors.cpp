#include "factors.hpp"

#include <bit>
#include <limits>

namespace noregret {

void Factors::add(std::ptrdiff_t slot, double variance) {
  measured_ = false;
  if (at(slot) >= places_.size()) places_.resize(std::bit_ceil(at(slot) + 1), kNone);
  const std::size_t place = size();
  if (const std::size_t padded = (place / kRows + 1) * kRows; padded > variances_.size()) {
    while (blocks_.size() * kColumns < padded) {
      const std::size_t block = blocks_.size();
      factors::Block fresh(factors::tiles_of(block) * factors::kTile, 0.0);
      for (std::size_t c = 0; c < kColumns; ++c) fresh[inside(block * kColumns + c, c)] = 1.0;
      blocks_.push_back(std::move(fresh));
    }
    for (factors::Block* each : {&laid_, &x_, &f_, &b_, &slopes_, &after_, &gain_}) each->resize(padded, 0.0);
    reach_.resize(padded + 1, 0.0);
    tiles_.resize(padded / kRows);
    variances_.resize(padded, 1.0);
  }
  slots_.push_back(slot);
  places_[at(slot)] = static_cast<std::uint32_t>(place);
  variances_[place] = variance;
  widest_ = std::max(widest_, variance);
}

void Factors::forget(std::size_t size) {
  if (size == this->size()) return;
  measured_ = false;
  for (std::size_t place = size; place < this->size(); ++place) {
    variances_[place] = 1.0;
    places_[at(slots_[place])] = kNone;
  }
  slots_.resize(size);
}

std::vector<double> Factors::saved() const {
  std::vector<double> numbers;
  numbers.reserve(size() * (size() + 1) / 2);
  for (std::size_t column = 0; column < size(); ++column) {
    for (std::size_t row = 0; row < column; ++row) numbers.push_back(at(row, column));
    numbers.push_back(variances_[column]);
  }
  return numbers;
}

void Factors::restore(const double* numbers) {
  for (std::size_t column = 0; column < size(); ++column) {
    for (std::size_t row = 0; row < column; ++row) blocks_[column / kColumns][inside(row, column)] = *numbers++;
    variances_[column] = *numbers++;
  }
  find_widest();
}

// From the last column to the first: D_j is what is left of Σ_jj, and column j over D_j goes away from those before it. What is
// left may be rounding errors only, of either sign, where the matrix has lost its digits; then D_j is their size, and the
// feature has no correlation with those before it.
void Factors::factor(std::vector<double> matrix) {
  const std::size_t size = this->size();
  std::vector<double> least(size);
  for (std::size_t j = 0, end = 0; j < size; ++j) {
    end += j + 1;
    least[j] = std::max(static_cast<double>(size) * std::numeric_limits<double>::epsilon() * std::abs(matrix[end - 1]), 1e-100);
  }
  for (std::size_t j = size; j-- > 0;) {
    double* column = matrix.data() + j * (j + 1) / 2;
    if (!(column[j] > least[j])) {
      std::fill_n(column, j, 0.0);
      column[j] = least[j];
    }
    for (std::size_t i = 0; i < j; ++i) column[i] /= column[j];
    for (std::size_t k = 0; k < j; ++k) {
      const double share = column[k] * column[j];
      if (share == 0.0) continue;
      double* other = matrix.data() + k * (k + 1) / 2;
      for (std::size_t i = 0; i <= k; ++i) other[i] -= column[i] * share;
    }
  }
  restore(matrix.data());
}

void Factors::find_widest() {
  measured_ = false;
  widest_ = 0.0;
  std::vector<double> totals(size(), 0.0);
  for (std::size_t column = 0; column < size(); ++column) {
    for (std::size_t row = 0; row < column; ++row) totals[row] += at(row, column) * at(row, column) * variances_[column];
    totals[column] += variances_[column];
  }
  for (const double total : totals) widest_ = total <= widest_ ? widest_ : total;
}

void Factors::measure_laid() const {
  std::swap(laid_, x_);
  std::size_t listed = 0;
  largest_ = 0.0;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    double largest = 0.0;
    for (std::size_t k = tile * kRows; k < (tile + 1) * kRows; ++k) largest = std::max(largest, std::abs(x_[k]));
    tiles_[listed] = static_cast<std::uint32_t>(tile);
    listed += largest > 0.0;
    largest_ = std::max(largest_, largest);
  }
  const factors::Measured row{tiles_.data(), listed, x_.data(), variances_.data(), f_.data(), b_.data(), reach_.data()};
  factors::kernels().measure(blocks_.data(), blocks_.size(), row);
  measured_ = true;
}

bool Factors::prepare(double growth) {
  const factors::Measured row{tiles_.data(), 0, x_.data(), variances_.data(), f_.data(), b_.data(), reach_.data()};
  const double v = reach_[size()];
  const bool large = factors::kernels().prepare(x_.size(), growth, row, slopes_.data(), after_.data());
  // U_ij² ≤ Σ_ii/D_j, and the same bounds what is added to U_ij: far from the end of the doubles.
  return large && v <= 1e100 && growth <= 1e200 && growth * v <= 1e150 && widest_ <= 1e110;
}

const double* Factors::shrink() {
  measured_ = false;
  std::fill(gain_.begin(), gain_.end(), 0.0);
  factors::kernels().shrink(blocks_.data(), blocks_.size(), f_.data(), b_.data(), slopes_.data(), gain_.data());
  std::swap(variances_, after_);
  return gain_.data();
}

void Factors::put_back(Kept&& kept) {
  measured_ = false;
  blocks_ = std::move(kept.blocks);
  variances_ = std::move(kept.variances);
}

bool Factors::are_sound() const {
  bool sound = true;
  for (const double variance : variances_) sound &= variance > 0.0 && std::isfinite(variance);
  for (const factors::Block& block : blocks_) {
    for (const double number : block) sound &= std::isfinite(number);
  }
  return sound;
}

void Factors::refuse(std::size_t wanted) {
  const std::size_t tenths = (wanted * wanted * 4 + 50'000'000) / 100'000'000;
  throw Refusal("BadInput", "the full covariance of " + std::to_string(wanted) + " features would take " + std::to_string(tenths / 10) + "." +
                                std::to_string(tenths % 10) + " GB, and 2 GB are the most; covariance=diagonal takes 16 bytes a feature");
}

}  // namespace noregret
