// One example, as Python gives it: a dict, a one-dimensional array or a sparse row.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "../features.hpp"

namespace noregret {

// Remembers the slots of the key objects met lately, so that a name which comes back as the same
// string object is not hashed again. Holds a reference: an address is never taken by another.
class KeyCache {
 public:
  ~KeyCache() { forget(); }
  KeyCache() = default;
  KeyCache(const KeyCache&) = delete;
  KeyCache& operator=(const KeyCache&) = delete;

  // The slot of key number k of an example: most often it is the one that stood there in the last example.
  std::uint32_t find(std::size_t k, PyObject* key) {
    if (k < last_.size() && last_[k].key == key) return last_[k].slot;
    const std::uint32_t slot = find(key);
    if (slot == kUnknown) return slot;
    if (k >= last_.size()) last_.resize(k + 1);
    last_[k] = {key, slot};
    return slot;
  }
  // `names` is how many there are: the cache grows with them.
  void remember(PyObject* key, std::uint32_t slot, std::size_t names);
  void forget();
  // Keeps a dict, whose names a row refers to, until the next one.
  PyObject* keep(nanobind::object dict) { return (kept_ = std::move(dict)).ptr(); }

 private:
  struct Entry {
    PyObject* key = nullptr;
    std::uint32_t slot = 0;
  };
  struct alignas(64) Set {  // what the processor fetches at once
    Entry entries[4];
  };
  std::uint32_t find(PyObject* key) const {
    if (sets_.empty()) return kUnknown;
    for (const Entry& entry : sets_[place(key)].entries) {
      if (entry.key == key) return entry.slot;
    }
    return kUnknown;
  }
  std::size_t place(PyObject* key) const {
    return (reinterpret_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15u) >> shift_;
  }
  void put(Entry entry);  // takes over the reference

  std::vector<Set> sets_;
  std::vector<Entry> last_;  // all of them are in some set, which has the reference
  int shift_ = 64;
  nanobind::object kept_;
};

// Looks up the features of `x`, in the order in which it has them.
void resolve(nanobind::handle x, const Features& features, KeyCache& cache, Resolved& row);

}  // namespace noregret
