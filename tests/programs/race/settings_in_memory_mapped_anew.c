// As the silent twin, but nothing orders what was written in the new mapping before the reads of it, though each thread has read that place again and again.
// EXPECT: data race on .*settings
// EXPECT: 1 data race \(3 occurrences\)
#define RACE
#include "settings_mapped.h"
