// Thousands of words in pairs that all threads read in each of their epochs, and that one writes who knows of all of these.
#define WIDTH 2
#include "many_again.h"
