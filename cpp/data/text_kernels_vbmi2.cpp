#include "text_kernels_wide.hpp"
#include "text_pairs_avx512.hpp"

namespace noregret {

extern const TextKernels kTextVbmi2{find, {EightPairs::read<false>, EightPairs::read<true>}};

}  // namespace noregret
