#include "kernels.hpp"

#include "../instructions.hpp"

namespace noregret::factors {

extern const Kernels kPlain;
#if defined(NOREGRET_X86)
extern const Kernels kAvx2, kAvx512;
#endif

const Kernels& kernels() {
#if defined(NOREGRET_X86)
  if (instructions() >= Instructions::avx512) return kAvx512;
  if (instructions() == Instructions::avx2) return kAvx2;
#endif
  return kPlain;
}

}  // namespace noregret::factors
