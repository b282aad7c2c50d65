// For short loops: one body, compiled for what processors have. Which one runs is decided when the core is loaded, which is too early for
// what looks for faults in memory. All give the same bits.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NOREGRET_WATCHED
#endif
#endif

#if defined(NOREGRET_X86) && defined(__linux__) && !defined(NOREGRET_WATCHED) && !defined(__SANITIZE_ADDRESS__)
#define NOREGRET_WIDE [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define NOREGRET_WIDE
#endif
