// Reports go to a descriptor of the program's.
// STDOUT: data race on `shared`
// RUN-EXIT: 66
// EXPECT: nothing else
#include <stdio.h>
#include <unistd.h>

#include <sanitizer/common_interface_defs.h>

#include "unordered.h"

int shared;

static void first(void) {
    shared = 1;
}

static void second(void) {
    __sanitizer_set_report_fd((void *)(long)dup(1));
    shared = 2;
    fprintf(stderr, "nothing else\n");
}
