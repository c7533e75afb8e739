// A relaxed load of 16 bytes takes nothing.
// EXPECT: data race on `data`
#define ORDER std::memory_order_relaxed
#include "../norace/atomic_16_bytes.cpp"
