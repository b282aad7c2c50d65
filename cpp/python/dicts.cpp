#include "dicts.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>

#include "../refusal.hpp"

namespace nb = nanobind;

namespace noregret {

namespace {

// Python's own number for what a dict holds: it changes with the dict, and no other has it. 0 where there is none, as for the attributes
// of an object, which may change behind its back.
#if PY_VERSION_HEX < 0x030e0000 && !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
constexpr bool kVersions = true;
std::uint64_t version_of(PyObject* dict) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const auto* fields = reinterpret_cast<const PyDictObject*>(dict);
  return fields->ma_values == nullptr ? fields->ma_version_tag : 0;
#pragma GCC diagnostic pop
}
#else
constexpr bool kVersions = false;
std::uint64_t version_of(PyObject*) { return 0; }
#endif

}  // namespace

std::size_t LastExample::begin(std::size_t same, std::size_t size, std::size_t names) {
  // Without versions the next example may well be this one once more.
  const std::size_t kept = !kVersions || 2 * same >= keys_.size() ? size : std::min<std::size_t>(size, 1);
  same = std::min(same, kept);
  for (std::size_t k = same; k < keys_.size(); ++k) Py_XDECREF(std::exchange(keys_[k], {}).key);
  keys_.resize(kept);
  while (!strangers_.empty() && strangers_.back() >= same) strangers_.pop_back();
  names_ = names;
  return kept;
}

void LastExample::settle(const Resolved& learned) {
  if (learned.kind != FeatureKind::name) return;
  std::size_t known = 0;
  for (; known < strangers_.size() && strangers_[known] < learned.size(); ++known) {
    keys_[strangers_[known]].slot = learned.slot(strangers_[known]);
  }
  strangers_.erase(strangers_.begin(), strangers_.begin() + static_cast<std::ptrdiff_t>(known));
}

namespace {

[[gnu::noinline]] std::string_view text_as_utf8(PyObject* text) {
  if (!PyUnicode_Check(text)) throw Refusal("BadType", "the key of a feature must be a string, not a " + type_of(text));
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    throw Refusal("BadInput", "a feature name cannot be written as UTF-8");
  }
  return {bytes, static_cast<std::size_t>(size)};
}

// Plain ASCII stands in the string itself, behind what else Python keeps there.
bool is_plain(PyObject* text) { return PyUnicode_CheckExact(text) && PyUnicode_IS_COMPACT_ASCII(text); }
std::string_view plain_text(PyObject* text) {
  return {reinterpret_cast<const char*>(reinterpret_cast<PyASCIIObject*>(text) + 1), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))};
}
std::string_view text_of(PyObject* text) { return is_plain(text) ? plain_text(text) : text_as_utf8(text); }

double number_of(PyObject* value, std::string_view name) {
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

// Whether Python code may run when this is made a number; it might change the dict that it stands in.
bool is_foreign(PyObject* value) {
  return !PyFloat_Check(value) && !PyLong_CheckExact(value) && !PyBool_Check(value) && !PyUnicode_Check(value);
}

// As much of a dict as is like the last one: the same keys, in the same order, with floats. Gives how much, and moves `at` behind it.
std::size_t resolve_as_last(PyObject* dict, Py_ssize_t& at, const Features& features, const LastExample& last, Resolved& row) {
  const auto [slots, values] = row.free();
  const LastExample::Key* keys = last.keys().data();
  const bool still_unknown = last.strangers().empty() || last.is_up_to_date(features.names.size());
  const std::size_t most = std::min(still_unknown ? last.keys().size() : last.strangers().front(), static_cast<std::size_t>(PyDict_GET_SIZE(dict)));
  std::size_t count = 0;
  PyObject *key, *value;
  for (Py_ssize_t next = 0; count < most && PyDict_Next(dict, &next, &key, &value); at = next) {
    if (key != keys[count].key || !PyFloat_CheckExact(value)) break;
    slots[count] = keys[count].slot;
    values[count++] = PyFloat_AS_DOUBLE(value);
  }
  row.add(count);
  for (const std::uint32_t stranger : last.strangers()) {
    if (stranger >= count) continue;
    const std::string_view name = text_of(keys[stranger].key);
    row.await(stranger, name, Spelling(name), keys[stranger].hash);
  }
  return count;
}

using Item = LastExample::Item;

// How an item is called; written in its place, because copies of what was just written in pieces are slow.
void spell(Item& item, std::string_view name, const Spelling& spelling, const Names::Finder& finder) {
  item.name = name;
  item.spelling = spelling;
  item.hash = finder.hash(name, spelling);
}
void spell_key(Item& item, const Names::Finder& finder) {
  static_assert(sizeof(PyASCIIObject) >= 16, "Spelling::behind() may read as much in front of the letters");
  if (is_plain(item.key)) return spell(item, plain_text(item.key), Spelling::behind(plain_text(item.key)), finder);
  const std::string_view name = text_as_utf8(item.key);
  spell(item, name, Spelling(name), finder);
}

// A value that is not a plain float. A word becomes part of the name, and the key alone no longer tells the feature.
double read_value(PyObject* value, Item& item, Resolved& row, const Names::Finder& finder) {
  if (!PyUnicode_Check(value)) return number_of(value, item.name);
  const std::string_view name = row.keep(std::string(item.name) + "=" + std::string(text_of(value)));
  spell(item, name, Spelling(name), finder);
  item.key = nullptr;
  return 1.0;
}

// Gives items their slots, the first of them that of feature number `begin`. Names and what is known of them lie all over the
// memory: each step asks for what the next one needs, and which names are new is not branched upon before all others are done.
void look_up(std::span<Item> items, std::size_t begin, std::size_t kept, const Features& features, LastExample& last, Resolved& row) {
  const auto [slots, values] = row.free();
  const Names::Finder finder(features.names);
  for (Item& item : items) {
    spell_key(item, finder);
    finder.ask(item.hash);
  }
  for (const auto& [k, value] : last.others) values[k] = read_value(value, items[k], row, finder);
  for (std::size_t k = 0; k < items.size(); ++k) slots[k] = finder.guess(items[k].hash);
  std::size_t strangers = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    items[strangers].stranger = static_cast<std::uint32_t>(k);
    strangers += !finder.is(slots[k], items[k].name, items[k].spelling);
  }
  for (std::size_t s = 0; s < strangers; ++s) {
    const std::size_t k = items[s].stranger;
    if (slots[k] != kUnknown) slots[k] = features.names.find(items[k].name, items[k].spelling, items[k].hash);
    if (slots[k] != kUnknown) continue;
    row.await(begin + k, items[k].name, items[k].spelling, items[k].hash);
    last.add_stranger(begin + k);
  }
  for (std::size_t k = 0; begin + k < kept; ++k) last.set(begin + k, items[k].key, slots[k], items[k].hash);
  row.add(items.size());
}

// False when it has a value that is_foreign(), unless `own`: nobody else can change it.
bool resolve_dict(PyObject* dict, bool own, const Features& features, LastExample& last, Resolved& row) {
  const auto size = static_cast<std::size_t>(PyDict_GET_SIZE(dict));
  row.clear(size);
  row.kind = FeatureKind::name;
  row.distinct = true;
  row.width = -1;
  Py_ssize_t at = 0;
  const std::size_t same = resolve_as_last(dict, at, features, last, row);
  if (same == size) return true;
  const std::size_t kept = last.begin(same, size, features.names.size());
  if (last.items.size() < size) last.items.resize(size);
  last.others.clear();
  Item* const items = last.items.data();
  double* const values = row.free().second;
  std::size_t count = 0;
  for (PyObject *key, *value; PyDict_Next(dict, &at, &key, &value); ++count) {
    __builtin_prefetch(key);
    __builtin_prefetch(reinterpret_cast<PyASCIIObject*>(key) + 1);  // its letters, which mostly are behind the line with its beginning
    __builtin_prefetch(value);
    items[count].key = key;
    items[count].value = value;
  }
  for (std::size_t k = 0; k < count; ++k) {
    PyObject* const value = items[k].value;
    if (PyFloat_CheckExact(value)) {
      values[k] = PyFloat_AS_DOUBLE(value);
    } else if (!own && is_foreign(value)) {
      return false;
    } else {
      last.others.emplace_back(k, value);
    }
  }
  look_up({items, count}, same, kept, features, last, row);
  return true;
}

}  // namespace

void resolve_dict(nb::handle dict, const Features& features, LastExample& last, Resolved& row) {
  const std::uint64_t version = version_of(dict.ptr());
  if (row.is_of(version)) return;
  features.require(FeatureKind::name);
  if (resolve_dict(dict.ptr(), false, features, last, row)) return row.set_source(version);
  resolve_own_dict(nb::steal(PyDict_Copy(dict.ptr())), features, last, row);
}

void resolve_cells(nb::object cells, const Features& features, LastExample& last, Resolved& row) {
  features.require(FeatureKind::name);
  const auto all = nb::cast<std::vector<std::pair<nb::str, double>>>(cells);
  last.keep(std::move(cells));
  row.clear(all.size());
  row.kind = FeatureKind::name;
  row.width = -1;
  for (const auto& [key, value] : all) {
    const std::string_view name = text_of(key.ptr());
    row.push_name(features, name, Names::hash(name), value);
  }
}

void resolve_own_dict(nb::object dict, const Features& features, LastExample& last, Resolved& row) {
  resolve_dict(last.keep(std::move(dict)), true, features, last, row);
}

}  // namespace noregret
