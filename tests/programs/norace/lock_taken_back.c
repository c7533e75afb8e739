// What a thread uses under a lock that nobody else wants is accessed in one sync epoch, however often the lock is taken: of 256,000 accesses, next to
// none is one of a new epoch.
// LEVELS: O1
// RUN: GOLDILOCKS_OPTIONS=stats=1 $OUT 2>$OUT.stats; grep -Eq 'went_back: 39[0-9]{2},' $OUT.stats && grep -Eq 'quick_renewed: [0-9]{1,4},' $OUT.stats || cat $OUT.stats >&2
#include "lock_taken_back.h"
