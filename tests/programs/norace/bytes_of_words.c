// Single bytes of words that two threads change and two others read, each from a place of its own, ordered by locks.
#include "bytes_of_words.h"
