#include "examples.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "../refusal.hpp"
#include "buffer.hpp"

namespace nb = nanobind;

namespace noregret {

namespace {

// Two strings of Python's, exactly; equal ones have the same kind.
bool are_equal(PyObject* a, PyObject* b) {
  const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(a)), kind = static_cast<std::size_t>(PyUnicode_KIND(a));
  return static_cast<std::size_t>(PyUnicode_GET_LENGTH(b)) == size && static_cast<std::size_t>(PyUnicode_KIND(b)) == kind &&
         std::memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b), size * kind) == 0;
}

}  // namespace

const KeyCache::Entry* KeyCache::entry_of(PyObject* key, std::uint64_t hash) const {
  if (sets_.empty() || !PyUnicode_CheckExact(key)) return nullptr;
  for (const Entry& entry : sets_[hash & (sets_.size() - 1)].entries) {
    if (entry.key == key) return &entry;
    if (entry.key != nullptr && entry.tag == hash >> 32 && are_equal(entry.key, key)) return &entry;
  }
  return nullptr;
}

void KeyCache::remember(PyObject* key, std::uint32_t slot, std::size_t names) {
  constexpr std::size_t kFewest = 256, kMost = std::size_t{1} << 20;
  if (!PyUnicode_CheckExact(key)) return;
  if (sets_.empty() || (names > 4 * sets_.size() && sets_.size() < kMost)) {
    std::vector<Set> old(std::clamp(std::bit_ceil(names / 2), kFewest, kMost));
    old.swap(sets_);
    for (const Set& set : old) {
      for (const Entry& entry : set.entries) {
        if (entry.key != nullptr) put(entry);
      }
    }
  }
  Py_INCREF(key);
  put({key, static_cast<std::uint32_t>(hash_of(key) >> 32), slot});
}

void KeyCache::put(Entry entry) {
  Set& set = sets_[hash_of(entry.key) & (sets_.size() - 1)];
  PyObject* const oldest = set.entries[3].key;
  std::move_backward(set.entries, set.entries + 3, set.entries + 4);
  set.entries[0] = entry;
  Py_XDECREF(oldest);
}

void KeyCache::begin(std::size_t same, std::size_t names) {
  for (std::size_t k = same; k < last_.size(); ++k) Py_XDECREF(last_[k].key);
  last_.resize(same);
  names_ = names;
}

void KeyCache::settle(const Resolved& learned, std::size_t names) {
  for (const auto& [key, at] : waiting_) {
    if (learned.slot(at) == kUnknown) continue;
    if (entry_of(key.ptr(), hash_of(key.ptr())) == nullptr) remember(key.ptr(), learned.slot(at), names);
    last_[at].slot = learned.slot(at);
  }
  waiting_.clear();
}

void KeyCache::forget() {
  begin(0, 0);
  waiting_.clear();
  for (Set& set : sets_) {
    for (Entry& entry : set.entries) Py_XDECREF(entry.key);
  }
  sets_.clear();
}

namespace {

std::string type_of(PyObject* value) { return Py_TYPE(value)->tp_name; }

std::string_view text_of(PyObject* text) {
  if (!PyUnicode_Check(text)) throw Refusal("BadType", "the key of a feature must be a string, not a " + type_of(text));
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    throw Refusal("BadInput", "a feature name cannot be written as UTF-8");
  }
  return {bytes, static_cast<std::size_t>(size)};
}

double number_of(PyObject* value, std::string_view name) {
  if (PyFloat_CheckExact(value)) return PyFloat_AS_DOUBLE(value);
  const double number = PyFloat_AsDouble(value);  // ints, bools, numpy scalars
  if (number == -1.0 && PyErr_Occurred()) {
    const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError);
    PyErr_Clear();
    if (too_large) throw Refusal("BadInput", "feature '" + std::string(name) + "' is too large; a value must be a finite number");
    throw Refusal("BadType", "feature '" + std::string(name) + "' is a " + type_of(value) +
                                 "; a value is a number, a string or a boolean, and a missing one is left out");
  }
  return number;
}

// An item whose key is not remembered.
void resolve_item(PyObject* key, PyObject* value, const Features& features, KeyCache& cache, Resolved& row) {
  const std::string_view name = text_of(key);
  if (PyUnicode_Check(value)) {
    row.push_made_name(features, std::string(name) + "=" + std::string(text_of(value)), 1.0);
    cache.add(nullptr, kUnknown);
    return;
  }
  const std::uint32_t hash = Names::hash(name), slot = row.push_name(features, name, hash, number_of(value, name));
  cache.add(key, slot, hash);
  if (slot == kUnknown) {
    cache.await(key, row.size() - 1);
  } else {
    cache.remember(key, slot, features.names.size());
  }
}

// Whether Python code may run when this is made a number; it might change the dict that it stands in.
bool is_foreign(PyObject* value) {
  return !PyFloat_Check(value) && !PyLong_CheckExact(value) && !PyBool_Check(value) && !PyUnicode_Check(value);
}

// As much of a dict as is like the last one: the same keys, in the same order, with floats. Gives how much, and moves `at` behind it.
std::size_t resolve_as_last(PyObject* dict, Py_ssize_t& at, const Features& features, KeyCache& cache, Resolved& row) {
  const auto [slots, values] = row.free();
  const KeyCache::Past* last = cache.last().data();
  const std::size_t most = std::min(cache.last().size(), static_cast<std::size_t>(PyDict_GET_SIZE(dict)));
  const bool still_unknown = cache.is_up_to_date(features.names.size());
  std::size_t count = 0;
  PyObject *key, *value;
  for (Py_ssize_t next = 0; count < most && PyDict_Next(dict, &next, &key, &value); at = next) {
    const auto [same, slot, hash] = last[count];
    if (key != same || !PyFloat_CheckExact(value)) break;
    if (slot == kUnknown) {
      if (!still_unknown) break;
      row.await(count, text_of(key), hash);
      cache.await(key, count);
    }
    slots[count] = slot;
    values[count++] = PyFloat_AS_DOUBLE(value);
  }
  row.add(count);
  return count;
}

// False when it has a value that is_foreign(), unless `own`: nobody else can change it.
bool resolve_dict(PyObject* dict, bool own, const Features& features, KeyCache& cache, Resolved& row) {
  row.clear(static_cast<std::size_t>(PyDict_GET_SIZE(dict)));
  row.kind = FeatureKind::name;
  row.width = -1;
  Py_ssize_t at = 0;
  const std::size_t same = resolve_as_last(dict, at, features, cache, row);
  if (same == static_cast<std::size_t>(PyDict_GET_SIZE(dict))) return true;
  cache.begin(same, features.names.size());
  // Keys lie all over the memory, and so do their places in the cache and among the names: all are asked for before the first is
  // looked at.
  cache.items.clear();
  for (KeyCache::Item item{}; PyDict_Next(dict, &at, &item.key, &item.value);) {
    if (!own && is_foreign(item.value)) return false;
    __builtin_prefetch(item.key);
    cache.items.push_back(item);
  }
  for (KeyCache::Item& item : cache.items) item.hash = cache.fetch(item.key);
  for (KeyCache::Item& item : cache.items) {
    if (PyFloat_Check(item.value) || PyLong_Check(item.value)) item.slot = cache.find(item.key, item.hash);
    if (item.slot == kUnknown) features.names.fetch(Names::hash(text_of(item.key)));
  }
  for (const auto& [key, value, hash, slot] : cache.items) {
    if (slot == kUnknown) {
      resolve_item(key, value, features, cache, row);
    } else {
      row.push(slot, PyFloat_CheckExact(value) ? PyFloat_AS_DOUBLE(value) : number_of(value, text_of(key)));
      cache.add(key, slot);
    }
  }
  return true;
}

void resolve_dict(nb::handle dict, const Features& features, KeyCache& cache, Resolved& row) {
  features.require(FeatureKind::name);
  if (resolve_dict(dict.ptr(), false, features, cache, row)) return;
  resolve_dict(cache.keep(nb::steal(PyDict_Copy(dict.ptr()))), true, features, cache, row);
}

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

void resolve(nb::handle x, const Features& features, KeyCache& cache, Resolved& row) {
  cache.turn_page();
  if (PyDict_CheckExact(x.ptr())) return resolve_dict(x, features, cache, row);
  // Asked by name first, because looking for an attribute that is not there takes longer than the row.
  if (type_of(x.ptr()) == "numpy.ndarray") return resolve_array(x, features, row);
  if (nb::hasattr(x, "tocsr")) return resolve_sparse(x, features, row);  // some of scipy's are dicts as well
  if (PyDict_Check(x.ptr())) return resolve_dict(x, features, cache, row);
  if (nb::hasattr(x, "__array_interface__")) {
    require_unmasked(x);
    return resolve_array(x, features, row);
  }
  if (PyMapping_Check(x.ptr()) && nb::hasattr(x, "keys")) {
    features.require(FeatureKind::name);
    resolve_dict(cache.keep(nb::borrow(reinterpret_cast<PyObject*>(&PyDict_Type))(x)), true, features, cache, row);
    return;
  }
  throw Refusal("BadType", "x is a " + type_of(x.ptr()) + "; an example is a dict, a one-dimensional array or a sparse row");
}

}  // namespace noregret
