// Single bytes of many words that two threads change and two others read, each from a place of its own, ordered by locks.
#define MANY
#include "bytes_of_words.h"
