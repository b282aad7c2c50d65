// Fresh numpy arrays from the core's memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

#include "../data/stacked.hpp"
#include "../refusal.hpp"
#include "buffer.hpp"

namespace noregret {

// Hands a vector or a column over to numpy, without a copy.
template <class Values>
nanobind::object given(Values&& values) {
  static_assert(std::is_rvalue_reference_v<Values&&>);
  using T = std::remove_reference_t<decltype(*values.data())>;
  auto* kept = new Values(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  // numpy wants an address even for nothing.
  static T nothing{};
  T* data = kept->empty() ? &nothing : kept->data();
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {kept->size()}, owner));
}

// The same for columns that are whole: rows are read across them.
inline nanobind::object given(Stacked&& columns) {
  auto* kept = new Stacked(std::move(columns));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Stacked*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<2>>(kept->data(), {kept->rows, kept->width}, owner, {1, static_cast<std::int64_t>(kept->step)}));
}

// With whether no cell is missing.
inline nanobind::object numbers_given(Stacked&& columns) {
  const bool whole = columns.whole;
  return nanobind::make_tuple(given(std::move(columns)), whole);
}

// And for compressed sparse rows: values, features, starts.
inline nanobind::object given(Compressed&& rows) {
  return nanobind::make_tuple(given(std::move(rows.values)), given(std::move(rows.features)), given(std::move(rows.starts)));
}

template <class T>
nanobind::object copied(const T* data, std::size_t count) {
  return given(count == 0 ? std::vector<T>() : std::vector<T>(data, data + count));
}

// The elements of an array that must have one for every row.
template <class T>
T* sized(const Buffer& buffer, std::size_t count) {
  T* data = buffer.data<std::remove_const_t<T>>();
  if (buffer.length() != count) throw Refusal("BadInput", "there are " + std::to_string(count) + " rows and an array of " + std::to_string(buffer.length()) + " beside them");
  return data;
}

}  // namespace noregret
