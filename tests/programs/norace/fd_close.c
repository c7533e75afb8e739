// A descriptor is closed after another thread has used it, and its number means another file then.
// LEVELS: O1
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "ordered.h"

static int file;

static void first(void) {
    char got;
    file = open("/dev/zero", O_RDONLY);
    CHECK(read(file, &got, 1) == 1);
}

static void second(void) {
    char got;
    CHECK(close(file) == 0);
    int again = open("/dev/zero", O_RDONLY);
    CHECK(read(again, &got, 1) == 1);
    CHECK(close(again) == 0);
}
