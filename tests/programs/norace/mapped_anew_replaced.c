// What is mapped where the first of two mappings of a file was is no memory of the second, nor is another mapping of zeroes.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
#define KIND REPLACED
#include "mapped_anew.h"
