// Thousands of words that all threads read in each of their epochs, and that one writes who knows of all of these.
#define WIDTH 1
#include "many_again.h"
