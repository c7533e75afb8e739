// A handler that leaves by siglongjmp, out of a fault in a libc function: detection goes on.
// FLAGS: -fno-builtin
// LEVELS: O1
// EXPECT: data race on `shared`
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static sigjmp_buf out;
static char *volatile nowhere = (char *)64;

static void handler(int number) {
    siglongjmp(out, number);
}

static void first(void) {
    shared = 1;
}

static void second(void) {
    signal(SIGSEGV, handler);
    if (!sigsetjmp(out, 1)) strcpy(nowhere, "text");
    if (!sigsetjmp(out, 1)) CHECK(strlen(nowhere));
    if (!sigsetjmp(out, 1)) memcpy(nowhere, "text", 4);
    if (!sigsetjmp(out, 1)) *nowhere = 1;
    shared = 2;
}
