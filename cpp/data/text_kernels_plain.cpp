#include "text_kernels_wide.hpp"

namespace noregret {

extern const TextKernels kTextPlain{find, {Pairs::read<false>, Pairs::read<true>}};

}  // namespace noregret
