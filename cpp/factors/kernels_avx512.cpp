#include "kernels_wide.hpp"

namespace noregret::factors {

extern const Kernels kAvx512 = kernels_of<8>();

}  // namespace noregret::factors
