#include "kernels_wide.hpp"

namespace noregret::experts {

extern const Kernels kPlain = kernels_of<2>();

}  // namespace noregret::experts
