#include "text_kernels.hpp"

#include "../instructions.hpp"

namespace noregret {

extern const TextKernels kTextPlain;
#if defined(NOREGRET_X86)
extern const TextKernels kTextAvx2, kTextAvx512, kTextVbmi2;
#endif

const TextKernels& text_kernels() {
#if defined(NOREGRET_X86)
  if (instructions() == Instructions::vbmi2) return kTextVbmi2;
  if (instructions() == Instructions::avx512) return kTextAvx512;
  if (instructions() == Instructions::avx2) return kTextAvx2;
#endif
  return kTextPlain;
}

}  // namespace noregret
