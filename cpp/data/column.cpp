#include "column.hpp"

#include <bit>
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
  static constexpr std::size_t kKept = 128, kBytes = 1 << 26;

  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = kept_.size(); k-- > 0;) {
      if (kept_[k].bytes != bytes) continue;
      void* memory = kept_[k].memory;
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(k));
      bytes_ -= bytes;
      return memory;
    }
    return nullptr;
  }
  void give(void* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    kept_.push_back({memory, bytes});
    bytes_ += bytes;
    while (kept_.size() > kKept || bytes_ > kBytes) {
      std::free(kept_.front().memory);
      bytes_ -= kept_.front().bytes;
      kept_.erase(kept_.begin());
    }
  }

 private:
  struct Kept {
    void* memory;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::vector<Kept> kept_ = [] {
    std::vector<Kept> kept;
    kept.reserve(kKept + 1);  // giving back must not fail
    return kept;
  }();
};

// Blocks of text differ by a line or so; what holds one should hold the next.
std::size_t rounded(std::size_t bytes) {
  if (bytes <= Pool::kSmall) return bytes;
  const std::size_t step = std::bit_floor(bytes) / 4;
  return (bytes + step - 1) / step * step;
}

// Never destroyed: arrays in Python may outlive everything else.
Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

}  // namespace

void* borrow_memory(std::size_t bytes) {
  bytes = rounded(bytes);
  if (bytes > Pool::kSmall) {
    if (void* memory = pool().take(bytes)) return memory;
  }
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void return_memory(void* memory, std::size_t bytes) noexcept {
  bytes = rounded(bytes);
  if (bytes > Pool::kSmall) {
    pool().give(memory, bytes);
  } else {
    std::free(memory);
  }
}

}  // namespace noregret
