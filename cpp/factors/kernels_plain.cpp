#include "kernels_wide.hpp"

namespace noregret::factors {

extern const Kernels kPlain = kernels_of<2>();

}  // namespace noregret::factors
