// Loops that the compiler vectorizes for several processors; the one for this processor is chosen at load.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define KERAS_CLONES __attribute__((target_clones("avx2", "default")))
#define KERAS_TARGETS __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define KERAS_CLONES
#define KERAS_TARGETS
#endif

// For functions in such loops.
#define KERAS_INLINE inline __attribute__((always_inline))

// For rare cases of functions that there are many of: one copy for all.
#if defined(__clang__)
#define KERAS_SHARED __attribute__((noinline))
#else
#define KERAS_SHARED __attribute__((noinline, noclone))
#endif
