// Who wants the program's own exit status has it when detection ends early, too.
// LEVELS: O1
// OPTIONS: epoch_groups=16:exitcode=0
// REPORTS: 0
// RUN-EXIT: 3
// EXPECT: has ended before the program did
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "invisible.h"

#define ROUNDS 4000

static int done;
static long words[ROUNDS];
static sem_t there, back;

static void *work(void *unused) {
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
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&there);
        sum += words[i];
        sem_post(&back);
    }
    pthread_join(thread, 0);
    fprintf(stderr, "all %ld are there\n", sum);
    return 3;
}
