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

  std::uint32_t find(PyObject* key) const {
    if (sets_.empty()) return kUnknown;
    for (const Entry& entry : sets_[place(key)].entries) {
      if (entry.key == key) return entry.slot;
    }
    return kUnknown;
  }
  // `names` is how many there are: the cache grows with them.
  void remember(PyObject* key, std::uint32_t slot, std::size_t names);
  void forget();

 private:
  struct Entry {
    PyObject* key = nullptr;
    std::uint32_t slot = 0;
  };
  struct alignas(64) Set {  // what the processor fetches at once
    Entry entries[4];
  };
  std::size_t place(PyObject* key) const {
    return (reinterpret_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15u) >> shift_;
  }
  void put(Entry entry);  // takes over the reference

  std::vector<Set> sets_;
  int shift_ = 64;
};

// Looks up the features of `x`, in the order in which it has them.
void resolve(nanobind::handle x, const Features& features, KeyCache& cache, Resolved& row);

}  // namespace noregret
