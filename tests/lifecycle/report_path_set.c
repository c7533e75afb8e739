// The program decides while it runs where reports go, prints a stack, and is asked before a failed run ends.
// RUN: status=0; $OUT $OUT.text || status=$?; echo "status $status" >&2; cat $OUT.text.* >&2; rm -f $OUT.text.*; exit $status
// EXPECT: ^ +#0 0x[0-9a-f]+ in function .*report_path_set.c:
// EXPECT: Write of size 4 .* by main thread
// EXPECT: the program is about to fail
// EXPECT: status 66
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sanitizer/common_interface_defs.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static void about_to_fail(void) {
    fprintf(stderr, "the program is about to fail\n");
}

static __attribute__((noinline)) void function(void) {
    __sanitizer_print_stack_trace();
    __asm__ volatile("");
}

static void *first(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    char expected[1000];
    __sanitizer_set_report_path(arguments[1]);
    snprintf(expected, sizeof expected, "%s.%d", arguments[1], (int)getpid());
    CHECK(!strcmp(__sanitizer_get_report_path(), expected));
    __sanitizer_set_death_callback(about_to_fail);
    function();
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
