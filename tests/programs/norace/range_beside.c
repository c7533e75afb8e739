// The first half of a word whose second half a thread has accessed before it accessed the first one by a loop, used when that is done.
#include "range_beside.h"
