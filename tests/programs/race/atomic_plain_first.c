// A relaxed load takes nothing: it races with the plain initialization of the atomic.
// EXPECT: data race on `value`
#define ORDER memory_order_relaxed
#include "../norace/atomic_plain_first.c"
