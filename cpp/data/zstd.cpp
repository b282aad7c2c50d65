#include "zstd.hpp"

#include <dlfcn.h>

#include <memory>

#include "../refusal.hpp"
#include "column.hpp"

namespace noregret {
namespace {

// What is used of its interface, which is the same in all libraries of this name.
struct Library {
  void* (*create)();
  std::size_t (*free)(void*);
  std::size_t (*decompress)(void* context, void* to, std::size_t room, const void* from, std::size_t count);
  unsigned (*is_error)(std::size_t);

  bool is_whole() const { return create != nullptr && free != nullptr && decompress != nullptr && is_error != nullptr; }
};

template <class Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

Library opened() {
  Library found{};
  for (const char* name : {"libzstd.so.1", "libzstd.1.dylib"}) {
    void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);  // kept until the process ends
    if (library == nullptr) continue;
    find(library, "ZSTD_createDCtx", found.create);
    find(library, "ZSTD_freeDCtx", found.free);
    find(library, "ZSTD_decompressDCtx", found.decompress);
    find(library, "ZSTD_isError", found.is_error);
    if (found.is_whole()) return found;
  }
  return {};
}

const Library& library() {
  static const Library found = opened();
  return found;
}

struct Free {
  void operator()(void* context) const { library().free(context); }
};

}  // namespace

bool has_zstd() { return library().is_whole(); }

void unpack_zstd(const Fetch& fetch, std::size_t packed, char* to, std::size_t size) {
  if (!has_zstd()) throw Refusal("BadFile", "its pages are compressed by zstd, which is not here");
  // It has tables that take longer to make than many a page to read.
  thread_local const std::unique_ptr<void, Free> context(library().create());
  if (context == nullptr) throw std::bad_alloc();
  Column<char> bytes(packed + 1);
  fetch(0, {{{bytes.data(), packed}}});
  const std::size_t count = library().decompress(context.get(), to, size, bytes.data(), packed);
  if (library().is_error(count) != 0) throw Refusal("BadFile", "a page cannot be decompressed");
  if (count != size) throw Refusal("BadFile", "a page has another size than it says");
}

}  // namespace noregret
