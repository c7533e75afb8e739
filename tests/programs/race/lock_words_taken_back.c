// As the silent twin, but what the first thread has done under the lock after its release store is read without the lock.
// EXPECT: data race on `late`
#define LIBRARY
#define RACE
#include "lock_taken_back.h"
