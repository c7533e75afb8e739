// Tables that threads read a part of a word at a time: who knows of all readers of a byte but one, which has read other bytes of its word, may change it.
#include "tables_in_parts.h"
