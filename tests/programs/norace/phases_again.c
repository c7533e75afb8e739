// Threads come and go, and in between the first one is alone: with what they have left, freed or not; for a moment, and for so long that
// nothing is remembered any more.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"

enum { WORDS = 4096, KEPT = 64 };
static volatile long table[WORDS];
static long *kept[KEPT];
static atomic_long counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *part(void *argument) {
    long me = (long)argument;
    for (int i = (int)me; i < WORDS; i += 2) table[i] += me + table[i ^ 2];
    pthread_mutex_lock(&lock);
    for (int i = 0; i < KEPT; i++) {
        long *old = kept[i];
        kept[i] = malloc(40);
        *kept[i] = old ? *old : me;
        free(old);
    }
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&counted, 1);
    return 0;
}

static void in_threads(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) CHECK(!pthread_create(&threads[i], 0, part, (void *)i));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}

static void alone(int rounds) {
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < WORDS; i++) table[i] += table[(i + 1) % WORDS] & 1;
    for (int i = 0; i < KEPT; i++) {
        long value = *kept[i];
        free(kept[i]);
        // Of the same size, and of another: blocks of before come back in parts.
        kept[i] = malloc(i % 2 ? 40 : 200);
        for (int word = 0; word < 5; word++) kept[i][word] = value;
    }
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&counted, 1);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    for (int phase = 0; phase < 12; phase++) {
        in_threads();
        alone(phase % 3 == 2 ? 200 : phase % 3);
    }
    CHECK(counted == 12 * 3);
    return 0;
}
