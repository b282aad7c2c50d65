// A matrix of examples that the core may read: checked once, borrowed, never copied.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "../learner.hpp"
#include "buffer.hpp"

namespace noregret {

class Matrix {
 public:
  Matrix(nanobind::handle values, nanobind::handle indices, nanobind::handle starts, std::int64_t width, nanobind::handle columns,
         nanobind::handle classes, nanobind::handle features, bool holes);

  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  Block block() const;
  // Leaves only the first so many rows.
  void shorten(std::size_t count) { count_ = std::min(count_, count); }
  std::size_t count() const { return count_; }
  std::int64_t width() const { return width_; }

 private:
  void take_dense();
  template <class V>
  bool try_dense();
  bool try_columns();
  void take_table(nanobind::handle features, bool holes);
  void require_words() const;
  template <class V, class I>
  bool try_sparse(const Buffer& indices, const Buffer& starts);
  void take_names(nanobind::handle columns);

  std::vector<ClassLabel> classes_;
  bool classed_ = false;

  std::vector<std::int32_t> features_;
  std::vector<nanobind::object> kept_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<std::string_view> names_;
  ColumnNames columns_;
  Rows rows_;
  std::size_t count_ = 0;
  std::int64_t width_ = -1;
};

}  // namespace noregret
