// The same with the cast before the end of the object.
#include "dynamic_cast.h"
