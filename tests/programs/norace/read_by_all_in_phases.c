// In each phase all threads read the same words, each in an order and from places of its own, so that a word has any set of them as its readers. What is
// written between phases is ordered by the barrier. Next to none of that takes the long way into the runtime.
// LEVELS: O1
// RUN: GOLDILOCKS_OPTIONS=stats=1 $OUT 2>$OUT.stats; grep -Eq 'quick_state: [0-9]{1,4} }' $OUT.stats || cat $OUT.stats >&2
#include "phases_of_readers.h"
