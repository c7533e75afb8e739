// Where the first of two mappings of a file was is something else; the second and a third one are the same memory.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
// EXPECT: #0 first
// EXPECT: #0 second
#define KIND UNMAPPED
#define RACE
#include "mapped_anew.h"
