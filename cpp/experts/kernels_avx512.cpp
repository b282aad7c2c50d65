#include "kernels_wide.hpp"

namespace noregret::experts {

extern const Kernels kAvx512 = kernels_of<8>();

}  // namespace noregret::experts
