// Asking for a name comes before the call with the answer.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <netdb.h>
#include <signal.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int called, written;
static struct gaicb request = {.ar_name = "127.0.0.1"};

static void call(union sigval unused) {
    (void)unused;
    invisible_wait(&written, 1);
    CHECK(gai_error(&request) == 0);
    freeaddrinfo(request.ar_result);
    shared = 2;
    invisible_signal(&called);
}

int main(void) {
    struct gaicb *list[] = {&request};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = call};
    shared = 1;
    CHECK(getaddrinfo_a(GAI_NOWAIT, list, 1, &event) == 0);
    invisible_signal(&written);
    invisible_wait(&called, 1);
    return 0;
}
