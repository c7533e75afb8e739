// The twin in which one of the atomics tells nothing, once: the last one, so that who has seen it has not heard of anything later.
// EXPECT: data race on `data\[.*\]`
#define TELLS memory_order_relaxed
#include "../norace/atomic_many_tell.c"
