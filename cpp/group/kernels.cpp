#include "kernels.hpp"

#include <string>

#include "../instructions.hpp"

namespace noregret::group {

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

const RuleKernels* rule_kernels(const char* rule) {
  const Kernels& all = kernels();
  for (std::size_t k = 0; k < all.count; ++k) {
    if (std::string(rule) == all.rules[k].rule) return &all.rules[k];
  }
  return nullptr;
}

}  // namespace noregret::group
