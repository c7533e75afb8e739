// More sync epochs than there is room for, but all threads know of most of them: detection goes on, and finds what comes then.
// LEVELS: O1
// OPTIONS: epoch_groups=16
// REPORTS: 1
// REJECT: DETECTION HAS ENDED
// EXPECT: all 4000 are there
// EXPECT: data race on `shared`
#define ALL_KNOW
#include "epochs.h"

static volatile int shared;

static void *write_one(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    use_up_epochs(0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, write_one, 0);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
