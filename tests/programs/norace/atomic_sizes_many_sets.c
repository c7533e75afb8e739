// So many different sets of atomics in 16 bytes that not all of them have a name in the runtime; then a word that is given by four bytes, and taken by one of them.
// RUNS: 2
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { UNITS = 600 };
static unsigned char (*units)[16];
static int data[UNITS];

// Operations of one and two bytes at places that the number says: no two units have the same.
static void use(int number) {
    for (int at = 0; at < 4; at++) {
        unsigned char *place = units[number] + 8 + 2 * at;
        switch (number / (1 << 2 * at) & 3) {
        case 1: __atomic_store_n(place, 1, __ATOMIC_RELAXED); break;
        case 2: __atomic_store_n(place + 1, 1, __ATOMIC_RELAXED); break;
        case 3: __atomic_store_n((uint16_t *)place, 1, __ATOMIC_RELAXED); break;
        }
    }
    if (number >= 256) __atomic_store_n(units[number], 1, __ATOMIC_RELAXED);
    if (number >= 512) __atomic_store_n(units[number] + 1, 1, __ATOMIC_RELAXED);
}

static void *gives(void *unused) {
    for (int number = 0; number < UNITS; number++) {
        use(number);
        data[number] = number;
        __atomic_store_n((uint32_t *)(units[number] + 4), 0x01010101, __ATOMIC_RELEASE);
    }
    return unused;
}

int main(void) {
    units = aligned_alloc(16, sizeof *units * UNITS);
    for (int i = 0; i < UNITS * 16; i++) units[0][i] = 0;
    pthread_t thread;
    pthread_create(&thread, 0, gives, 0);
    for (int number = 0; number < UNITS; number++) {
        while (!__atomic_load_n(units[number] + 4 + number % 4, __ATOMIC_ACQUIRE)) {}
        assert(data[number] == number);
    }
    pthread_join(thread, 0);
    free(units);
    return 0;
}
