#include "kernels.hpp"

#include <string>

#include "../experts/kernels.hpp"

namespace noregret::group {

extern const Kernels kPlain;
#if defined(NOREGRET_X86)
extern const Kernels kAvx2, kAvx512;
#endif

// The instructions that were chosen for the expert rules.
const Kernels& kernels() {
#if defined(NOREGRET_X86)
  const std::string chosen = experts::kernels().name;
  if (chosen == kAvx512.name) return kAvx512;
  if (chosen == kAvx2.name) return kAvx2;
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
