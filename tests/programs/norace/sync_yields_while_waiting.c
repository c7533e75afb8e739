// Two threads hand numbers to each other through rings of few places, and give their processors away as long as a ring is full or empty. Whether the runtime lets
// them nap instead (`lock_naps`) changes nothing but the time.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

enum { PLACES = 8, NUMBERS = 20000 };
struct ring {
    _Alignas(64) atomic_uint written;
    _Alignas(64) atomic_uint taken;
    unsigned places[PLACES];
};
static struct ring there, back;

static void put(struct ring *ring, unsigned number, unsigned value) {
    while (number - atomic_load_explicit(&ring->taken, memory_order_acquire) == PLACES)
        CHECK(sched_yield() == 0);
    ring->places[number % PLACES] = value;
    atomic_store_explicit(&ring->written, number + 1, memory_order_release);
}

static unsigned take(struct ring *ring, unsigned number) {
    while (atomic_load_explicit(&ring->written, memory_order_acquire) == number)
        CHECK(sched_yield() == 0);
    unsigned value = ring->places[number % PLACES];
    atomic_store_explicit(&ring->taken, number + 1, memory_order_release);
    return value;
}

static void *answer(void *unused) {
    for (unsigned number = 0; number < NUMBERS; number++) put(&back, number, 3 * take(&there, number));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, answer, 0);
    unsigned long sum = 0;
    for (unsigned number = 0, answers = 0; answers < NUMBERS;) {
        if (number < NUMBERS && number - answers < PLACES) {
            put(&there, number, number);
            number++;
        } else {
            sum += take(&back, answers++);
        }
    }
    pthread_join(thread, 0);
    CHECK(sum == 3UL * NUMBERS * (NUMBERS - 1) / 2);
    return 0;
}
