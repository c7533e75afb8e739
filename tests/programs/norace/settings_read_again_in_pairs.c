// Pairs of words that all threads read at once in each of their sync epochs, before and after a change that is ordered.
#include "pairs_again.h"
