// Columns without the pool, so that the sanitizer sees every one end where it ends.
#include <new>

#include "../data/column.hpp"

namespace noregret {

void* borrow_memory(std::size_t bytes) { return ::operator new(bytes); }
void return_memory(void* memory, std::size_t) noexcept { ::operator delete(memory); }

}  // namespace noregret
