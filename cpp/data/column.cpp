#include "column.hpp"

#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace noregret {
namespace {

// A few blocks of each size that was asked for lately. Small ones are the allocator's business.
class Pool {
 public:
  static constexpr std::size_t kSmall = 1 << 16;
  static constexpr std::size_t kKept = 16;

  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = kept_.size(); k-- > 0;) {
      if (kept_[k].bytes != bytes) continue;
      void* memory = kept_[k].memory;
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(k));
      return memory;
    }
    return nullptr;
  }
  void give(void* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    kept_.push_back({memory, bytes});
    if (kept_.size() <= kKept) return;
    std::free(kept_.front().memory);
    kept_.erase(kept_.begin());
  }

 private:
  struct Kept {
    void* memory;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Kept> kept_ = [] {
    std::vector<Kept> kept;
    kept.reserve(kKept + 1);  // giving back must not fail
    return kept;
  }();
};

// Never destroyed: arrays in Python may outlive everything else.
Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

}  // namespace

void* borrow_memory(std::size_t bytes) {
  if (bytes > Pool::kSmall) {
    if (void* memory = pool().take(bytes)) return memory;
  }
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void return_memory(void* memory, std::size_t bytes) noexcept {
  if (bytes > Pool::kSmall) {
    pool().give(memory, bytes);
  } else {
    std::free(memory);
  }
}

}  // namespace noregret
