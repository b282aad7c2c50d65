#include "examples.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "../refusal.hpp"
#include "buffer.hpp"

namespace nb = nanobind;

namespace noregret {

namespace {

template <class V>
void push_dense(const Buffer& buffer, const Features& features, Resolved& row) {
  const V* values = buffer.start<V>();
  const std::ptrdiff_t stride = buffer.stride(0);
  for (std::size_t k = 0; k < buffer.length(); ++k) {
    row.push_index(features, static_cast<std::int64_t>(k), static_cast<double>(values[static_cast<std::ptrdiff_t>(k) * stride]));
  }
}

// numpy would make numbers of complex ones, and of words that spell some.
nb::object as_doubles(nb::handle array) {
  constexpr const char* kRule = "an array of features must hold numbers";
  const nb::object numpy = nb::module_::import_("numpy");
  try {
    const std::string kind = nb::cast<std::string>(numpy.attr("asarray")(array).attr("dtype").attr("kind"));
    if (kind == "c" || kind == "U" || kind == "S") throw Refusal("BadType", kRule);
    return numpy.attr("asarray")(array, nb::arg("dtype") = "float64");
  } catch (nb::python_error&) {
    throw Refusal("BadType", kRule);
  }
}

void require_unmasked(nb::handle array) {
  if (nb::cast<bool>(nb::module_::import_("numpy").attr("ma").attr("is_masked")(array))) {
    throw Refusal("BadType", "x is masked in places; fill these first, as in x.filled(…)");
  }
}

void resolve_array(nb::handle array, const Features& features, Resolved& row) {
  const Buffer given(array, "x");
  if (given.dimensions() != 1) {
    throw Refusal("BadType", "x has " + std::to_string(given.dimensions()) +
                                 " dimensions; one example is one-dimensional (a whole matrix goes through play)");
  }
  features.require(FeatureKind::index);
  row.clear(given.length());
  row.kind = FeatureKind::index;
  row.width = static_cast<std::int64_t>(given.length());
  if (given.holds<double>()) return push_dense<double>(given, features, row);
  if (given.holds<float>()) return push_dense<float>(given, features, row);
  const nb::object doubles = as_doubles(array);
  push_dense<double>(Buffer(doubles, "x"), features, row);
}

void resolve_sparse(nb::handle sparse, const Features& features, Resolved& row) {
  const nb::object csr = sparse.attr("tocsr")();
  const nb::tuple shape = nb::cast<nb::tuple>(csr.attr("shape"));
  if (nb::len(shape) == 2 && nb::cast<std::int64_t>(shape[0]) != 1) {
    throw Refusal("BadType", "x is a sparse matrix of several rows; one example is one row");
  }
  features.require(FeatureKind::index);
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object indices = numpy.attr("ascontiguousarray")(csr.attr("indices"), nb::arg("dtype") = "int64");
  const nb::object doubles = numpy.attr("ascontiguousarray")(as_doubles(csr.attr("data")));
  const Buffer index_buffer(indices, "indices"), value_buffer(doubles, "data");
  const auto* index = index_buffer.data<std::int64_t>();
  const auto* value = value_buffer.data<double>();
  const std::size_t count = std::min(index_buffer.length(), value_buffer.length());
  row.clear(count);
  row.kind = FeatureKind::index;
  row.width = nb::cast<std::int64_t>(shape[nb::len(shape) - 1]);
  for (std::size_t k = 0; k < count; ++k) {
    require_index(index[k]);
    row.push_index(features, index[k], value[k]);
  }
}

}  // namespace

void resolve(nb::handle x, const Features& features, LastExample& last, Resolved& row) {
  if (PyDict_CheckExact(x.ptr())) return resolve_dict(x, features, last, row);
  // Asked by name first, because looking for an attribute that is not there takes longer than the row.
  if (type_of(x.ptr()) == "numpy.ndarray") return resolve_array(x, features, row);
  if (nb::hasattr(x, "tocsr")) return resolve_sparse(x, features, row);  // some of scipy's are dicts as well
  if (PyDict_Check(x.ptr())) return nb::hasattr(x, "noregret_cells") ? resolve_cells(x.attr("noregret_cells"), features, last, row) : resolve_dict(x, features, last, row);
  if (nb::hasattr(x, "__array_interface__")) {
    require_unmasked(x);
    return resolve_array(x, features, row);
  }
  if (PyMapping_Check(x.ptr()) && nb::hasattr(x, "keys")) {
    features.require(FeatureKind::name);
    return resolve_own_dict(nb::borrow(reinterpret_cast<PyObject*>(&PyDict_Type))(x), features, last, row);
  }
  throw Refusal("BadType", "x is a " + type_of(x.ptr()) + "; an example is a dict, a one-dimensional array or a sparse row");
}

}  // namespace noregret
