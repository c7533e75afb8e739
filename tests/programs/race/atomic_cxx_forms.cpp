// FLAGS: -std=c++20
// The same with relaxed operations: nothing is ordered.
// EXPECT: data race on `data\[0\]`
// EXPECT: data race on `data\[1\]`
// EXPECT: data race on `data\[2\]`
// EXPECT: data race on `data\[3\]`
// EXPECT: data race on `data\[4\]`
// EXPECT: data race on `data\[5\]`
// EXPECT: data race on `data\[6\]`
// EXPECT: data race on `data\[7\]`
// EXPECT: ^Goldilocks: 8 data races \(
#define RELAXED
#include "../norace/atomic_cxx_forms.cpp"
