#include "column.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace noregret {
namespace {

// Blocks that were given back lately, the last one last. Small ones are the allocator's business.
class Pool {
 public:
  static constexpr std::size_t kSmall = 1 << 16;
  static constexpr std::size_t kKept = 128, kBytes = 1 << 26;

  // The smallest that will do, if it is not far too large.
  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::size_t best = kept_.size();
    for (std::size_t k = kept_.size(); k-- > 0;) {
      const std::size_t size = kept_[k]->bytes;
      if (size >= bytes && size / 2 <= bytes && (best == kept_.size() || size < kept_[best]->bytes)) best = k;
    }
    if (best == kept_.size()) return nullptr;
    Block* block = kept_[best];
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(best));
    bytes_ -= block->bytes;
    return block + 1;
  }
  void give(void* memory) {
    const std::lock_guard lock(mutex_);
    Block* block = static_cast<Block*>(memory) - 1;
    kept_.push_back(block);
    bytes_ += block->bytes;
    while (kept_.size() > kKept || bytes_ > kBytes) {
      bytes_ -= kept_.front()->bytes;
      std::free(kept_.front());
      kept_.erase(kept_.begin());
    }
  }
  static void* make(std::size_t bytes) {
    void* memory = std::malloc(sizeof(Block) + bytes);
    return memory == nullptr ? nullptr : new (memory) Block{bytes} + 1;
  }

  // While a process is forked: the thread that holds the lock is not there in the child.
  void hold() { mutex_.lock(); }
  void let_go() { mutex_.unlock(); }

 private:
  // What stands in front of the memory.
  struct alignas(16) Block {
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::vector<Block*> kept_ = [] {
    std::vector<Block*> kept;
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
  static Pool& pool = []() -> Pool& {
    static Pool& made = *new Pool;
#if defined(__unix__) || defined(__APPLE__)
    pthread_atfork([] { made.hold(); }, [] { made.let_go(); }, [] { made.let_go(); });
#endif
    return made;
  }();
  return pool;
}

}  // namespace

void* borrow_memory(std::size_t bytes) {
  bytes = rounded(bytes);
  const bool small = bytes <= Pool::kSmall;
  if (!small) {
    if (void* memory = pool().take(bytes)) return memory;
  }
  void* memory = small ? std::malloc(bytes == 0 ? 1 : bytes) : Pool::make(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void return_memory(void* memory, std::size_t bytes) noexcept {
  if (rounded(bytes) > Pool::kSmall) {
    pool().give(memory);
  } else {
    std::free(memory);
  }
}

}  // namespace noregret
