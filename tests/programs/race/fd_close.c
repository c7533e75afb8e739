// A descriptor is closed, while another thread has used it: the number may mean another file by then.
// LEVELS: O1
// REPORTS: 1
#include <fcntl.h>
#include <unistd.h>

#include "unordered.h"

static int file;

__attribute__((constructor)) static void prepare(void) {
    file = open("/dev/zero", O_RDONLY);
}

static void first(void) {
    char got;
    read(file, &got, 1);
}

static void second(void) {
    close(file);
}
