#include "text_kernels.hpp"

#include "../instructions.hpp"

namespace noregret {

extern const TextKernels kTextPlain;
#if defined(NOREGRET_X86)
extern const TextKernels kTextAvx2, kTextAvx512, kTextVbmi2;
#endif

const TextKernels& text_kernels() {
#if defined(NOREGRET_X86)
  static const bool counts_zeros = __builtin_cpu_supports("avx512cd");
  static const bool moves_bytes = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
  if (instructions() == Instructions::avx512 && counts_zeros) return moves_bytes ? kTextVbmi2 : kTextAvx512;
  if (instructions() != Instructions::plain) return kTextAvx2;
#endif
  return kTextPlain;
}

}  // namespace noregret
