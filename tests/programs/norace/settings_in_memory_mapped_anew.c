// What threads keep to themselves of a mapping says nothing of the next one at its place, which they read when it is written.
#include "settings_mapped.h"
