#include "text_kernels.hpp"

#include "../instructions.hpp"

namespace noregret {

extern const TextKernels kTextPlain;
#if defined(NOREGRET_X86)
extern const TextKernels kTextAvx2;
#endif

// The widest instructions gain nothing here.
const TextKernels& text_kernels() {
#if defined(NOREGRET_X86)
  if (instructions() != Instructions::plain) return kTextAvx2;
#endif
  return kTextPlain;
}

}  // namespace noregret
