#include "kernels_wide.hpp"

namespace noregret::group {

extern const Kernels kPlain = kernels_of<2>();

}  // namespace noregret::group
