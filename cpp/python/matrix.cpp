#include "matrix.hpp"

#include <numeric>

#include "../refusal.hpp"
#include "../wide.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "class_labels.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {

Matrix::Matrix(nb::handle values, nb::handle indices, nb::handle starts, std::int64_t width, nb::handle columns, nb::handle classes, nb::handle features, bool holes) : width_(width) {
  buffers_.push_back(std::make_unique<Buffer>(values, "values"));
  if (!features.is_none()) {
    take_table(features, holes);
  } else if (indices.is_none()) {
    take_dense();
  } else {
    buffers_.push_back(std::make_unique<Buffer>(indices, "indices"));
    buffers_.push_back(std::make_unique<Buffer>(starts, "indptr"));
    const Buffer &index = *buffers_[1], &start = *buffers_[2];
    if (!(try_sparse<double, std::int32_t>(index, start) || try_sparse<double, std::int64_t>(index, start) ||
          try_sparse<float, std::int32_t>(index, start) || try_sparse<float, std::int64_t>(index, start))) {
      throw Refusal("BadType", "a sparse matrix must hold float64 or float32 values with int32 or int64 indices");
    }
  }
  if (!columns.is_none()) take_names(columns);
  if (!features.is_none()) require_words();
  if (classes.is_none()) return;
  classed_ = true;
  for (nb::handle label : nb::borrow<nb::iterable>(classes)) classes_.push_back(class_label(label));
}

// A matrix whose columns are whole is a table.
bool Matrix::try_columns() {
  const Buffer& values = *buffers_[0];
  if (!values.holds<double>() || values.stride(0) != 1) return false;
  features_.resize(values.length(1));
  std::iota(features_.begin(), features_.end(), 0);
  rows_ = TableRows{values.start<double>(), values.stride(1), features_.data(), nullptr, values.length(0), features_.size()};
  return true;
}

template <class V>
bool Matrix::try_dense() {
  const Buffer& values = *buffers_[0];
  if (!values.holds<V>()) return false;
  rows_ = DenseRows<V>{values.start<V>(), values.stride(0), values.stride(1), values.length(0), values.length(1)};
  return true;
}

// Columns that are whole, with the feature of each: −1 where the cells are features. With holes, NaN is a value that is missing.
void Matrix::take_table(nb::handle features, bool holes) {
  const Buffer& values = *buffers_[0];
  const Buffer told(features, "features");
  if (values.dimensions() != 2 || !values.holds<double>() || !told.holds<std::int32_t>()) throw Refusal("BadType", "a table holds float64 values, and int32 features of its columns");
  count_ = values.length(0);
  if (count_ > 1 && values.length(1) > 0 && values.stride(0) != 1) throw Refusal("BadType", "the columns of a table must be whole");
  const std::int32_t* first = sized<const std::int32_t>(told, values.length(1));
  features_.assign(first, first + values.length(1));
  rows_ = TableRows{values.start<double>(), values.stride(1), features_.data(), nullptr, count_, features_.size(), holes};
}

// Whether cells are whole numbers from 0 on, below a limit that is one itself. Without a way out of the middle, so that several are looked at at
// once; adding 2⁵² rounds what is no whole number.
NOREGRET_WIDE bool are_features(const double* cells, std::size_t count, double limit) {
  constexpr double kWhole = 4503599627370496.0;
  std::int64_t odd = 0;
  for (std::size_t r = 0; r < count; ++r) odd |= cells[r] >= 0.0 && cells[r] < limit && (cells[r] + kWhole) - kWhole == cells[r] ? 0 : 1;
  return odd == 0;
}

// Features are numbers from 0 on, and have names if there are names.
void Matrix::require_words() const {
  const auto& table = std::get<TableRows>(rows_);
  const double limit = columns_ ? static_cast<double>(columns_.size()) : 2147483647.0;
  for (std::size_t k = 0; k < table.width; ++k) {
    const double* cells = table.cells + static_cast<std::ptrdiff_t>(k) * table.step;
    if (features_[k] < limit && (features_[k] >= 0 || are_features(cells, count_, limit))) continue;
    throw Refusal("BadInput", "column " + std::to_string(k) + " of the table has a feature without a name");
  }
}

void Matrix::take_dense() {
  const Buffer& values = *buffers_[0];
  if (values.dimensions() != 2) throw Refusal("BadType", "a matrix of examples has two dimensions");
  if (!try_columns() && !try_dense<double>() && !try_dense<float>()) throw Refusal("BadType", "a matrix must hold float64 or float32 values");
  count_ = values.length(0);
  width_ = static_cast<std::int64_t>(values.length(1));
}

template <class V, class I>
bool Matrix::try_sparse(const Buffer& indices, const Buffer& starts) {
  if (!buffers_[0]->holds<V>() || !indices.holds<I>() || !starts.holds<I>()) return false;
  const I* start = starts.data<I>();
  const std::size_t filled = std::min(buffers_[0]->length(), indices.length());
  if (starts.length() == 0) throw Refusal("BadInput", "a sparse matrix needs at least one entry in indptr");
  count_ = starts.length() - 1;
  bool rising = start[0] >= 0 && static_cast<std::size_t>(start[count_]) <= filled;
  for (std::size_t r = 0; r < count_; ++r) rising = rising && start[r] <= start[r + 1];
  if (!rising) throw Refusal("BadInput", "indptr of the sparse matrix does not rise from 0 to the number of its values");
  rows_ = SparseRows<V, I>{buffers_[0]->data<V>(), indices.data<I>(), start, count_};
  return true;
}

void Matrix::take_names(nb::handle columns) {
  if (nb::isinstance<Vocabulary>(columns)) {
    kept_.push_back(nb::borrow(columns));
    columns_.vocabulary = nb::cast<const Vocabulary*>(columns);
    return;
  }
  columns_.listed = &names_;
  for (nb::handle name : nb::borrow<nb::iterable>(columns)) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(name.ptr()) ? PyUnicode_AsUTF8AndSize(name.ptr(), &size) : nullptr;
    if (text == nullptr) {
      PyErr_Clear();
      throw Refusal("BadType", "the names of columns must be strings");
    }
    kept_.push_back(nb::borrow(name));
    names_.emplace_back(text, static_cast<std::size_t>(size));
  }
  if (width_ >= 0 && names_.size() != static_cast<std::size_t>(width_)) {
    throw Refusal("BadInput", "there are " + std::to_string(width_) + " columns and " + std::to_string(names_.size()) + " names");
  }
}

Block Matrix::block() const {
  Block block;
  block.rows = rows_;
  block.width = width_;
  block.classes = classed_ ? &classes_ : nullptr;
  block.columns = columns_;
  block.count = count_;
  return block;
}

void bind_matrix(nb::module_& m) {
  nb::class_<Matrix>(m, "Matrix", "Rows of examples, dense or sparse, borrowed from numpy arrays.")
      .def(nb::init<nb::handle, nb::handle, nb::handle, std::int64_t, nb::handle, nb::handle, nb::handle, bool>(), "values"_a, "indices"_a.none() = nb::none(),
           "starts"_a.none() = nb::none(), "width"_a = -1, "columns"_a.none() = nb::none(), "classes"_a.none() = nb::none(), "features"_a.none() = nb::none(), "holes"_a = false)
      .def("__len__", &Matrix::count)
      .def("shorten", &Matrix::shorten, "count"_a, "Leaves only the first so many rows.")
      .def_prop_ro("width", &Matrix::width, "The number of columns; −1 when it is not known.");
}

}  // namespace noregret
