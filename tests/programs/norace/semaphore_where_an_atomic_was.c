// Memory is an atomic, then a semaphore, then an atomic again, and so on: each time data is handed over by what it is then, whatever has been heard of the other before.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "check.h"

enum { ROUNDS = 200 };

static union {
    atomic_long flag;
    sem_t semaphore;
} place;
static long data;
static pthread_barrier_t round_begins;

__attribute__((noinline)) static void hand_over_by_flag(int gives, long round) {
    if (gives) {
        data = round;
        atomic_store_explicit(&place.flag, 1, memory_order_release);
    } else {
        while (!atomic_load_explicit(&place.flag, memory_order_acquire)) {}
        CHECK(data == round);
        data = -round;
    }
}

__attribute__((noinline)) static void hand_over_by_semaphore(int gives, long round) {
    if (gives) {
        data = round;
        CHECK(!sem_post(&place.semaphore));
    } else {
        while (sem_wait(&place.semaphore)) {}
        CHECK(data == round);
        data = -round;
    }
}

static void *take_part(void *second) {
    for (long round = 1; round <= ROUNDS; round++) {
        int gives = (round / 2 + (second != 0)) % 2, is_flag = round % 2;
        if (!second) {
            if (is_flag) {
                atomic_store_explicit(&place.flag, 0, memory_order_relaxed);
            } else {
                CHECK(!sem_init(&place.semaphore, 0, 0));
            }
        }
        pthread_barrier_wait(&round_begins);
        (is_flag ? hand_over_by_flag : hand_over_by_semaphore)(gives, round);
        pthread_barrier_wait(&round_begins);
        if (!second && !is_flag) CHECK(!sem_destroy(&place.semaphore));
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&round_begins, 0, 2);
    CHECK(!pthread_create(&thread, 0, take_part, &data));
    take_part(0);
    pthread_join(thread, 0);
    pthread_barrier_destroy(&round_begins);
}
