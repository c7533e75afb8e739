// Two threads take two locks in opposite orders, one after the other. What is between the two orders is only so in this schedule: a
// lock and a semaphore that another one could have taken first, a signal that nobody waited for, one of several posts.
// EXPECT: ^  help: the locks form a cycle, by_mutex\.b -> by_mutex -> by_mutex\.b:
// EXPECT: ^  help: the locks form a cycle, by_semaphore\.b -> by_semaphore -> by_semaphore\.b:
// EXPECT: ^  help: the locks form a cycle, by_signal\.b -> by_signal -> by_signal\.b:
// EXPECT: ^  help: the locks form a cycle, by_post\.b -> by_post -> by_post\.b:
// EXPECT: ^Goldilocks: 4 findings \(
#include <pthread.h>
#include <semaphore.h>

#include "check.h"
#include "invisible.h"

struct pair {
    pthread_mutex_t a, b;
};
#define PAIR {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}

struct pair by_mutex = PAIR, by_semaphore = PAIR, by_signal = PAIR, by_post = PAIR;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t single, posts;
static int step, count;

#define NEST(first, second)                          \
    do {                                             \
        CHECK(pthread_mutex_lock(&(first)) == 0);    \
        CHECK(pthread_mutex_lock(&(second)) == 0);   \
        CHECK(pthread_mutex_unlock(&(second)) == 0); \
        CHECK(pthread_mutex_unlock(&(first)) == 0);  \
    } while (0)

static void add(int signals) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    count++;
    if (signals) CHECK(pthread_cond_signal(&condition) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}
static void add_by_semaphore(void) {
    CHECK(sem_wait(&single) == 0);
    count++;
    CHECK(sem_post(&single) == 0);
}

static void *first(void *unused) {
    NEST(by_mutex.a, by_mutex.b);
    add(0);
    NEST(by_semaphore.a, by_semaphore.b);
    add_by_semaphore();
    NEST(by_signal.a, by_signal.b);
    add(1);
    NEST(by_post.a, by_post.b);
    CHECK(sem_post(&posts) == 0);
    invisible_signal(&step);
    return unused;
}

static void *second(void *unused) {
    invisible_wait(&step, 2);
    add(0);
    NEST(by_mutex.b, by_mutex.a);
    add_by_semaphore();
    NEST(by_semaphore.b, by_semaphore.a);
    add(0);
    NEST(by_signal.b, by_signal.a);
    CHECK(sem_wait(&posts) == 0);
    NEST(by_post.b, by_post.a);
    return unused;
}

static void *poster(void *unused) {
    invisible_wait(&step, 1);
    CHECK(sem_post(&posts) == 0);
    invisible_signal(&step);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    void *(*work[])(void *) = {first, second, poster};
    CHECK(sem_init(&single, 0, 1) == 0 && sem_init(&posts, 0, 0) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, work[i], 0) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return 0;
}
