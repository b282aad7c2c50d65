// Threads that stay off the core on which somebody else is at work. A system that wakes a thread may put it where its waker runs, and leave
// it there for longer than all of the work takes: two threads then take turns on one core, beside another that is idle.
#pragma once

#if defined(__linux__)
#include <sched.h>
#endif

#include <atomic>

namespace noregret {

#if defined(__linux__)

class OtherCore {
 public:
  OtherCore() {
    CPU_ZERO(&allowed_);
    if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) CPU_ZERO(&allowed_);  // more cores than the set has room for
    stay();
  }

  // Whoever calls this is to have its core for itself.
  void stay() { taken_ = sched_getcpu(); }

  // Whoever calls this goes to another core, if it is on that one, and if there is another that it may use.
  void leave() const {
    const int taken = taken_;
    if (taken < 0 || sched_getcpu() != taken || !CPU_ISSET(taken, &allowed_)) return;
    cpu_set_t others = allowed_;
    CPU_CLR(taken, &others);
    if (CPU_COUNT(&others) > 0) sched_setaffinity(0, sizeof others, &others);
  }

 private:
  cpu_set_t allowed_;
  std::atomic<int> taken_ = -1;
};

#else

class OtherCore {
 public:
  void stay() {}
  void leave() const {}
};

#endif

}  // namespace noregret
