// References that are dropped relaxed order nothing: the free races with the other thread's use.
// EXPECT: data race between access and free
#define ORDER memory_order_relaxed
#include "../norace/atomic_last_reference.c"
