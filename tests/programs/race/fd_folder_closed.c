// A folder is closed, while another thread has used its descriptor.
// LEVELS: O1
// REPORTS: 1
#include <dirent.h>
#include <unistd.h>

#include "unordered.h"

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
