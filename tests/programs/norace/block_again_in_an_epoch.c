// Memory that is freed and got again within one sync epoch, after others have used it.
#include "block_again.h"
