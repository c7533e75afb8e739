// The silent twin, where nothing is released: who has seen the values does not come after what was done before.
// EXPECT: data race on `all\[.*\]\.data`
#define TELLS memory_order_relaxed
#include "../norace/atomic_loads_until_released.c"
