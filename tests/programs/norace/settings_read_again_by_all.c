// All threads read the same settings in each of their epochs, which each keeps to itself; they are changed when nobody reads them.
#include "settings_again.h"
