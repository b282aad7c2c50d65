// One thread at a time.
#pragma once

#include "../refusal.hpp"

namespace noregret {

// Guarded by the GIL, which may go to another thread whenever Python code is run (reading an example is enough) and
// while a loop is without it.
class Turns {
 public:
  explicit Turns(const char* whose) : whose_(whose) {}
  void require_free() const {
    if (taken_) throw Refusal("BusyLearner", std::string("another thread is using this ") + whose_ + "; give each thread its own clone");
  }

 private:
  friend class Turn;
  const char* whose_;
  mutable bool taken_ = false;
};

class Turn {
 public:
  explicit Turn(const Turns& turns) : turns_(turns) {
    turns.require_free();
    turns.taken_ = true;
  }
  ~Turn() { turns_.taken_ = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const Turns& turns_;
};

}  // namespace noregret
