// Vector registers that are in use across accesses to words whose bytes are accessed by threads in turns, from several places.
#include <emmintrin.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { THREADS = 3, WORDS = 32, ROUNDS = 100, EACH = 60 };
static sem_t turns[THREADS];
static unsigned char bytes[8 * WORDS];
static int lost;

#define ALL(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13)
#define BEGIN(n) __m128i v##n = _mm_set1_epi32((int)(seed * 14 + n) * 0x01010193);
#define END(n) differs |= _mm_movemask_epi8(_mm_cmpeq_epi32(v##n, _mm_set1_epi32((int)(seed * 14 + n) * 0x01010193))) != 0xffff;
#define IN_USE                                                                                                          \
    __asm__ volatile(""                                                                                                 \
                     : "+x"(v0), "+x"(v1), "+x"(v2), "+x"(v3), "+x"(v4), "+x"(v5), "+x"(v6), "+x"(v7), "+x"(v8), "+x"(v9), \
                       "+x"(v10), "+x"(v11), "+x"(v12), "+x"(v13))

// A place that accesses a byte while all of these are in registers.
#define PLACE(name, access)                                                                                             \
    __attribute__((noinline)) static int name(unsigned char *byte, unsigned seed) {                                     \
        int differs = 0;                                                                                                \
        ALL(BEGIN)                                                                                                      \
        IN_USE;                                                                                                         \
        access;                                                                                                         \
        IN_USE;                                                                                                         \
        ALL(END)                                                                                                        \
        return differs;                                                                                                 \
    }
PLACE(write_here, *(volatile unsigned char *)byte = 1)
PLACE(write_there, *(volatile unsigned char *)byte = 2)
PLACE(read_here, (void)*(volatile unsigned char *)byte)
PLACE(read_there, (void)*(volatile unsigned char *)byte)

static void *work(void *number) {
    unsigned self = *(unsigned *)number, random = self;
    int differs = 0;
    for (int round = 0; round < ROUNDS; round++) {
        sem_wait(&turns[self]);
        for (int n = 0; n < EACH; n++) {
            random = random * 1664525 + 1013904223;
            unsigned char *byte = bytes + (random >> 8) % sizeof bytes;
            switch (random >> 30) {
            case 0: differs += write_here(byte, random); break;
            case 1: differs += write_there(byte, random); break;
            case 2: differs += read_here(byte, random); break;
            default: differs += read_there(byte, random);
            }
        }
        sem_post(&turns[(self + 1) % THREADS]);
    }
    __atomic_fetch_add(&lost, differs, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    for (int t = 0; t < THREADS; t++) sem_init(&turns[t], 0, t == 0);
    for (int t = 0; t < THREADS; t++) {
        numbers[t] = t;
        pthread_create(&threads[t], NULL, work, &numbers[t]);
    }
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    if (__atomic_load_n(&lost, __ATOMIC_RELAXED) != 0) {
        fprintf(stderr, "lost what was in registers: %d\n", lost);
        return 1;
    }
    return 0;
}
