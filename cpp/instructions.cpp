#include "instructions.hpp"

#include "refusal.hpp"

namespace noregret {
namespace {

constexpr const char* kNames[] = {"plain", "avx2", "avx512", "vbmi2"};

std::size_t widest() {
#if defined(NOREGRET_X86)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
  const bool vbmi2 = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
  return !avx2 ? 0 : !avx512 ? 1 : !vbmi2 ? 2 : 3;
#else
  return 0;
#endif
}

std::size_t& chosen() {
  static std::size_t choice = widest();
  return choice;
}

}  // namespace

Instructions instructions() { return static_cast<Instructions>(chosen()); }

std::vector<std::string> instruction_names() { return {kNames, kNames + widest() + 1}; }

void choose_instructions(const std::string& name) {
  for (std::size_t k = 0; k <= widest(); ++k) {
    if (name == kNames[k]) {
      chosen() = k;
      return;
    }
  }
  throw Refusal("BadParameter", "this processor has no kernels called " + name);
}

}  // namespace noregret
