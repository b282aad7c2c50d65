#include "kernels_wide.hpp"

namespace noregret::group {

extern const Kernels kAvx512 = kernels_of<8>();

}  // namespace noregret::group
