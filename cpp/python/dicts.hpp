// An example that is a dict.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../features.hpp"

namespace noregret {

inline std::string type_of(PyObject* value) { return Py_TYPE(value)->tp_name; }

// The keys of the last example, one by one. Who has the columns of a table gives the same string objects again, and they are not looked
// up again. Where nothing of the kind was seen, only the first one is kept, to see when it begins.
class LastExample {
 public:
  struct Key {
    PyObject* key = nullptr;  // a reference, so that no other string takes its address; null for what has to be looked up each time
    std::uint32_t slot = kUnknown;
    std::uint32_t hash = 0;  // of the name
  };

  ~LastExample() { forget(); }
  LastExample() = default;
  LastExample(const LastExample&) = delete;
  LastExample& operator=(const LastExample&) = delete;

  // In the order of the example.
  const std::vector<Key>& keys() const { return keys_; }
  // Which of them had no slot. They have none still if there are as many `names` as there were.
  const std::vector<std::uint32_t>& strangers() const { return strangers_; }
  bool is_up_to_date(std::size_t names) const { return names == names_; }
  // The first `same` keys of an example of `size` are those of the last one. Gives how many shall be kept; those not there yet follow, by set().
  std::size_t begin(std::size_t same, std::size_t size, std::size_t names);
  void set(std::size_t at, PyObject* key, std::uint32_t slot, std::uint32_t hash) {
    if (key == nullptr || !PyUnicode_CheckExact(key)) return;
    Py_INCREF(key);
    keys_[at] = {key, slot, hash};
  }
  void add_stranger(std::size_t at) {
    if (at < keys_.size()) strangers_.push_back(static_cast<std::uint32_t>(at));
  }
  // The example was learned, and what had no slot got one.
  void settle(const Resolved& learned);
  void forget() { begin(0, 0, 0); }

  // Keeps what holds the names that a row refers to, until the next one.
  PyObject* keep(nanobind::object names) { return (kept_ = std::move(names)).ptr(); }

  // Room for the example that is being read.
  struct Item {
    PyObject *key, *value;
    std::string_view name;
    Spelling spelling;
    std::uint32_t hash;
    std::uint32_t stranger;  // not of this item: the n-th item says which one is the n-th that is new
  };
  std::vector<Item> items;
  std::vector<std::pair<std::size_t, PyObject*>> others;  // values that are not plain floats, by the number of their item

 private:
  std::vector<Key> keys_;
  std::vector<std::uint32_t> strangers_;
  std::size_t names_ = 0;  // how many there were when the last example was looked up
  nanobind::object kept_;
};

// Looks up the features of a dict, in the order in which it has them.
void resolve_dict(nanobind::handle dict, const Features& features, LastExample& last, Resolved& row);
// The same for a dict that was made for the purpose: whatever code runs while its values are read, nobody changes it.
void resolve_own_dict(nanobind::object dict, const Features& features, LastExample& last, Resolved& row);
// Looks up the features of a list of names with their values, which may repeat one.
void resolve_cells(nanobind::object cells, const Features& features, LastExample& last, Resolved& row);

}  // namespace noregret
