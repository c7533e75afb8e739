// What is passed from one descriptor to the next by one call, or by two threads, brings along what came before it. Who gets it may be
// back before who passes it on is.
// LEVELS: O1
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

enum { ROUNDS = 300 };

static volatile int shared;
static int first[2], middle[2], last[2], back[2];
static int file, written;

static void *writer(void *unused) {
    char got;
    for (int round = 0; round < ROUNDS; round++) {
        shared = round;
        CHECK(pwrite(file, "x", 1, 0) == 1);
        invisible_signal(&written);
        CHECK(write(first[1], "x", 1) == 1);
        CHECK(read(back[0], &got, 1) == 1);
    }
    return unused;
}

static void *relay(void *unused) {
    char got;
    for (int round = 0; round < ROUNDS; round++) {
        switch (round % 3) {
        case 0: CHECK(splice(first[0], 0, middle[1], 0, 1, 0) == 1); break;
        case 1:
            CHECK(tee(first[0], middle[1], 1, 0) == 1);
            CHECK(read(first[0], &got, 1) == 1);
            break;
        case 2: {
            off_t start = 0;
            invisible_wait(&written, round + 1);
            CHECK(sendfile(middle[1], file, &start, 1) == 1);
            CHECK(read(first[0], &got, 1) == 1);
        }
        }
    }
    return unused;
}

static void *second_relay(void *unused) {
    for (int round = 0; round < ROUNDS; round++) CHECK(splice(middle[0], 0, last[1], 0, 1, 0) == 1);
    return unused;
}

int main(void) {
    CHECK(pipe(first) == 0 && pipe(middle) == 0 && pipe(last) == 0 && pipe(back) == 0);
    CHECK((file = memfd_create("file", 0)) >= 0);
    pthread_t threads[3];
    pthread_create(&threads[0], 0, relay, 0);
    pthread_create(&threads[1], 0, second_relay, 0);
    pthread_create(&threads[2], 0, writer, 0);
    for (int round = 0; round < ROUNDS; round++) {
        char got;
        CHECK(read(last[0], &got, 1) == 1);
        shared = -round;
        CHECK(write(back[1], "x", 1) == 1);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return 0;
}
