// A handler that allocates and changes errno.
// FLAGS: -fno-builtin
// LEVELS: O1
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static char *volatile text;

static void append(void) {
    text = realloc(text, 100);
}

static void handler(int number) {
    append();
    errno = number;
    done = number;
}

int main(void) {
    signal(SIGALRM, handler);
    ualarm(1000, 0);
    while (!done) errno = 0;
    return 0;
}
