// Words that several threads read, each from a place of its own, and that are changed after all of them were joined.
#include "places_of_their_own.h"
