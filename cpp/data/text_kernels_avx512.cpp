#include "text_kernels_wide.hpp"

namespace noregret {

extern const TextKernels kTextAvx512{find, {Pairs::read<false>, Pairs::read<true>}};

}  // namespace noregret
