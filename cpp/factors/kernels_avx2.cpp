#include "kernels_wide.hpp"

namespace noregret::factors {

extern const Kernels kAvx2 = kernels_of<4>();

}  // namespace noregret::factors
