// Accesses that are not aligned, by the functions for them.
// EXPECT: data race
// REPORTS: 4
#include <sanitizer/common_interface_defs.h>

#include "unordered.h"

static char bytes[4][40];

static void first(void) {
    __sanitizer_unaligned_store16(&bytes[0][7], 1);
    __sanitizer_unaligned_store32(&bytes[1][5], 1);
    __sanitizer_unaligned_store64(&bytes[2][3], 1);
    volatile unsigned long sink = __sanitizer_unaligned_load64(&bytes[3][1]);
    (void)sink;
}
static void second(void) {
    volatile unsigned long sink;
    sink = __sanitizer_unaligned_load16(&bytes[0][8]);
    sink = __sanitizer_unaligned_load32(&bytes[1][8]);
    sink = __sanitizer_unaligned_load64(&bytes[2][10]);
    __sanitizer_unaligned_store64(&bytes[3][8], 2);
}
