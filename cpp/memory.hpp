// Memory for numbers that are read all over the place.
#pragma once

#include <cstddef>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace noregret {

// Whole cache lines, so that neighbours that are read together never lie across two of them. Much memory is asked for in
// large pages: in small ones there are more of them than the processor remembers the places of.
template <class T>
struct Spacious {
  using value_type = T;

  Spacious() = default;
  template <class U>
  Spacious(const Spacious<U>&) {}
  bool operator==(const Spacious&) const = default;

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kMuch) return static_cast<T*>(::operator new(bytes, kLine));
    const std::size_t whole = (bytes + kPage - 1) / kPage * kPage;
    void* memory = ::operator new(whole, std::align_val_t{kPage});
#if defined(__linux__)
    madvise(memory, whole, MADV_HUGEPAGE);  // a wish: nothing is wrong when it is not granted
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    ::operator delete(memory, count * sizeof(T) < kMuch ? kLine : std::align_val_t{kPage});
  }

 private:
  static constexpr std::align_val_t kLine{64};
  static constexpr std::size_t kPage = std::size_t{1} << 21, kMuch = std::size_t{1} << 19;
};

// Whole cache lines without large pages: for many pieces of memory of which none fills a large page.
template <class T>
struct Aligned {
  using value_type = T;

  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  bool operator==(const Aligned&) const = default;

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }

 private:
  static constexpr std::align_val_t kLine{64};
};

}  // namespace noregret
