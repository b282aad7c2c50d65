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
    if (entries_.empty()) return kUnknown;
    const Entry& entry = entries_[place(key)];
    return entry.key == key ? entry.slot : kUnknown;
  }
  void remember(PyObject* key, std::uint32_t slot);
  void forget();

 private:
  static constexpr std::size_t kEntries = 4096;
  struct Entry {
    PyObject* key = nullptr;
    std::uint32_t slot = 0;
  };
  static std::size_t place(PyObject* key) {
    return (reinterpret_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15u) >> 52;
  }
  std::vector<Entry> entries_;
};

// Looks up the features of `x`, in the order in which it has them.
void resolve(nanobind::handle x, const Features& features, KeyCache& cache, Resolved& row);

}  // namespace noregret
