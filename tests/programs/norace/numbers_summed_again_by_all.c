// All threads read the same numbers in each of their epochs, by a loop that is checked as a range: each number has the same readers as the others, so that
// none needs a record of its own.
// LEVELS: O2
// RUN: GOLDILOCKS_OPTIONS=stats=1 $OUT 2>$OUT.stats; grep -Eq '[^0-9][0-9]{1,2} side units' $OUT.stats || cat $OUT.stats >&2
#include "sums_again.h"
