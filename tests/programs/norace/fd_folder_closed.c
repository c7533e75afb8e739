// A folder is closed after another thread has used its descriptor.
// LEVELS: O1
#include <dirent.h>
#include <unistd.h>

#include "ordered.h"

static int number;
static DIR *folder;

__attribute__((constructor)) static void prepare(void) {
    folder = opendir("/");
    number = dirfd(folder);
}

static void first(void) {
    isatty(number);
}

static void second(void) {
    closedir(folder);
}
