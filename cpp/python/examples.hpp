// One example, as Python gives it: a dict, a one-dimensional array or a sparse row.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <vector>

#include "../features.hpp"

namespace noregret {

// Remembers the slots of the keys met lately. A name that comes back as the same object, or with the
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
  // The slot of key number k of an example; kUnknown when it is not remembered.
  std::uint32_t find(std::size_t k, PyObject* key, std::uint64_t hash) {
    const Entry* entry = find(key, hash);
    if (entry == nullptr) return kUnknown;
    if (entry->key == key) {
      if (k >= last_.size()) last_.resize(k + 1);
      last_[k] = *entry;
    }
    return entry->slot;
  }
  // The keys of the last example, in its order: most often the next one has the same.
  const std::vector<Entry>& last() const { return last_; }

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
  };
  std::vector<Item> items;  // of the example that is being read

 private:
  struct alignas(64) Set {  // what the processor fetches at once
    Entry entries[4];
  };
  const Entry* find(PyObject* key, std::uint64_t hash) const;
  static std::uint64_t hash_of(PyObject* key) { return static_cast<std::uint64_t>(PyObject_Hash(key)); }
  void put(Entry entry);  // takes over the reference

  std::vector<Set> sets_;  // a power of two
  std::vector<Entry> last_;  // all of them are in some set, which has the reference
  std::vector<std::pair<nanobind::object, std::size_t>> waiting_;
  nanobind::object kept_;
};

// Looks up the features of `x`, in the order in which it has them.
void resolve(nanobind::handle x, const Features& features, KeyCache& cache, Resolved& row);

}  // namespace noregret
