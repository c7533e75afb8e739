// The number of a descriptor that another thread has closed is given to a new one, by calls that we see and by libc itself.
// LEVELS: O1
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static void use(void) {
    char got;
    int file = open("/dev/zero", O_RDONLY);
    CHECK(read(file, &got, 1) == 1 && close(file) == 0);
    FILE *stream = fopen("/dev/zero", "r");
    CHECK(read(fileno(stream), &got, 1) == 1 && fclose(stream) == 0);
    int ends[2];
    CHECK(pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && read(ends[0], &got, 1) == 1);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void first(void) {
    use();
}

static void second(void) {
    use();
}
