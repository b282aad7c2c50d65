#include "kernels_wide.hpp"

namespace noregret::group {

extern const Kernels kAvx2 = kernels_of<4>();

}  // namespace noregret::group
