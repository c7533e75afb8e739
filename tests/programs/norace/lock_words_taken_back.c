// As lock_taken_back, with a lock like those of Rust's standard library: it is one to the engine, too.
// LEVELS: O1
// RUN: GOLDILOCKS_OPTIONS=stats=1 $OUT 2>$OUT.stats; grep -Eq 'went_back: 39[0-9]{2},' $OUT.stats && grep -Eq 'quick_renewed: [0-9]{1,4},' $OUT.stats || cat $OUT.stats >&2
#define LIBRARY
#include "lock_taken_back.h"
