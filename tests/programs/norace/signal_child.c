// Who finds that a child was killed comes after who has killed it.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared[3];
static pid_t children[3];

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        CHECK(children[i] >= 0);
        if (!children[i]) {
            alarm(60);
            for (;;) pause();
        }
    }
}

static void first(void) {
    int signals[] = {SIGTERM, SIGKILL, SIGSTOP};
    for (int i = 0; i < 3; i++) {
        shared[i] = 1;
        CHECK(kill(children[i], signals[i]) == 0);
    }
}

static void second(void) {
    int status;
    CHECK(waitpid(children[0], &status, 0) == children[0] && WIFSIGNALED(status));
    shared[0] = 2;
    CHECK(waitpid(children[1], 0, 0) == children[1]);
    shared[1] = 2;
    CHECK(waitid(P_PID, (id_t)children[2], 0, WSTOPPED) == 0);
    shared[2] = 2;
    CHECK(kill(children[2], SIGKILL) == 0 && waitpid(children[2], 0, 0) == children[2]);
}
