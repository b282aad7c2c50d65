#include "kernels.hpp"

#include "../refusal.hpp"

namespace noregret::experts {

extern const Kernels kPlain;
#if defined(NOREGRET_X86)
extern const Kernels kAvx2, kAvx512;
#endif

namespace {

std::vector<const Kernels*> runnable() {
  std::vector<const Kernels*> found{&kPlain};
#if defined(NOREGRET_X86)
  if (__builtin_cpu_supports("avx2")) found.push_back(&kAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    found.push_back(&kAvx512);
  }
#endif
  return found;
}

const Kernels*& chosen() {
  static const Kernels* choice = runnable().back();
  return choice;
}

}  // namespace

const Kernels& kernels() { return *chosen(); }

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const Kernels* k : runnable()) names.emplace_back(k->name);
  return names;
}

void choose_kernels(const std::string& name) {
  for (const Kernels* k : runnable()) {
    if (name == k->name) {
      chosen() = k;
      return;
    }
  }
  throw Refusal("BadParameter", "this processor has no kernels called " + name);
}

}  // namespace noregret::experts
