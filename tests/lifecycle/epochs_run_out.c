// More sync epochs are remembered at once than there is room for: this is said, what was found before is reported, and the program
// goes on to its end.
// LEVELS: O1
// OPTIONS: epoch_groups=16
// REPORTS: 1
// EXPECT: DETECTION HAS ENDED
// EXPECT: data race
// EXPECT: 1 data race .*\n.*\n.*has ended before the program did
// EXPECT: all 4000 are there
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "invisible.h"

#define ROUNDS 4000

static volatile int shared;
static int done;
static long words[ROUNDS];
static sem_t there, back;

static void *work(void *unused) {
    shared = 1;
    invisible_signal(&done);
    for (int i = 0; i < ROUNDS; i++) {
        words[i] = 1;
        sem_post(&there);
        sem_wait(&back);
    }
    return unused;
}

int main(void) {
    sem_init(&there, 0, 0);
    sem_init(&back, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    shared = 2;
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&there);
        sum += words[i];
        sem_post(&back);
    }
    pthread_join(thread, 0);
    fprintf(stderr, "all %ld are there\n", sum);
    return 0;
}
