// What a thread does in memory that it has freed and got again within one sync epoch races as anything else does, whatever it did there before.
// EXPECT: data race
// EXPECT: [Rr]ead of size 1
#define RACE
#include "block_again.h"
