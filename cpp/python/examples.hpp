// One example, as Python gives it: a dict, a one-dimensional array or a sparse row.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "../features.hpp"

namespace noregret {

// Remembers the slots of the keys met lately, and the last example key by key. A name that comes back as the same object, or with the
// hash and the letters of one, is not turned into UTF-8 and hashed again.
class KeyCache {
 public:
  struct Entry {
    PyObject* key = nullptr;  // a reference: an address is never taken by another
    std::uint32_t tag = 0;    // what of its hash did not choose the place
    std::uint32_t slot = 0;
  };

  ~KeyCache() { forget(); }
  KeyCache() = default;
  KeyCache(const KeyCache&) = delete;
  KeyCache& operator=(const KeyCache&) = delete;

  // Asks for the memory that find() will look at; gives the hash, 0 for a key that is no plain string.
  std::uint64_t fetch(PyObject* key) const {
    if (!PyUnicode_CheckExact(key)) return 0;
    const std::uint64_t hash = hash_of(key);
    if (!sets_.empty()) __builtin_prefetch(&sets_[hash & (sets_.size() - 1)]);
    return hash;
  }
  // kUnknown when it is not remembered.
  std::uint32_t find(PyObject* key, std::uint64_t hash) const {
    const Entry* entry = entry_of(key, hash);
    return entry == nullptr ? kUnknown : entry->slot;
  }

  // A key of the last example. Who learns what was just predicted, or has the columns of a table, gives the same keys again.
  struct Past {
    PyObject* key = nullptr;  // a reference; null for what has to be looked up each time
    std::uint32_t slot = kUnknown;
    std::uint32_t hash = 0;  // of the name, while it has no slot
  };
  // The keys of the last example in its order, those that had no slot only if they have none still.
  const std::vector<Past>& last() const { return last_; }
  bool is_up_to_date(std::size_t names) const { return names == names_; }
  // The first `same` keys of this example are those of the last one; the others follow, by add().
  void begin(std::size_t same, std::size_t names);
  void add(PyObject* key, std::uint32_t slot, std::uint32_t hash = 0) {
    const bool plain = key != nullptr && PyUnicode_CheckExact(key);
    if (plain) Py_INCREF(key);
    last_.push_back({plain ? key : nullptr, slot, hash});
  }

  // `names` is how many there are: the cache grows with them.
  void remember(PyObject* key, std::uint32_t slot, std::size_t names);
  // A key that has no slot yet, as feature number `at` of a row; settle() looks whether it got one.
  void await(PyObject* key, std::size_t at) { waiting_.emplace_back(nanobind::borrow(key), at); }
  void settle(const Resolved& learned, std::size_t names);
  void forget();
  // Keeps a dict, whose names a row refers to, until the next one.
  PyObject* keep(nanobind::object dict) { return (kept_ = std::move(dict)).ptr(); }
  // Another example is about to be read.
  void turn_page() { waiting_.clear(); }

  struct Item {
    PyObject *key, *value;
    std::uint64_t hash;
    std::uint32_t slot = kUnknown;
  };
  std::vector<Item> items;  // of the example that is being read

 private:
  struct alignas(64) Set {  // what the processor fetches at once
    Entry entries[4];
  };
  const Entry* entry_of(PyObject* key, std::uint64_t hash) const;
  static std::uint64_t hash_of(PyObject* key) { return static_cast<std::uint64_t>(PyObject_Hash(key)); }
  void put(Entry entry);  // takes over the reference

  std::vector<Set> sets_;  // a power of two
  std::vector<Past> last_;
  std::size_t names_ = 0;  // how many there were when the last example was looked up
  std::vector<std::pair<nanobind::object, std::size_t>> waiting_;
  nanobind::object kept_;
};

// Looks up the features of `x`, in the order in which it has them.
void resolve(nanobind::handle x, const Features& features, KeyCache& cache, Resolved& row);

}  // namespace noregret
