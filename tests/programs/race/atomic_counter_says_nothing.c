// As norace/atomic_counter_speaks.c, but what is to publish tells nothing either.
// EXPECT: data race on `words\[.*\]\.data`
#define TELLS memory_order_relaxed
#include "../norace/atomic_counter_speaks.c"
