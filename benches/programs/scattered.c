// Bytes of a table are changed in random order, from three places, as compressors change the tags of a hash table; now and then a thread takes a lock.
// ARGS: 400
// QUICK: 60
// SMOKE: 1
// THREADS: 2
#include "workload.h"

enum { BYTES = 1 << 16, EACH = 1 << 15, MOST = 16 };
static unsigned char tables[MOST][BYTES];
static unsigned long all;
static long rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void set(unsigned char *byte, unsigned value) { *byte = (unsigned char)value; }
__attribute__((noinline)) static void add(unsigned char *byte, unsigned value) { *byte = (unsigned char)(*byte + value); }
__attribute__((noinline)) static void mix(unsigned char *byte, unsigned value) { *byte = (unsigned char)(*byte * 5 ^ value); }

static unsigned long work(int me) {
    unsigned state = (unsigned)me + 1;
    unsigned char *table = tables[SEEDED ? 0 : me];
    for (long round = 0; round < rounds; round++) {
        for (int i = 0; i < EACH; i++) {
            unsigned number = next_number(&state);
            unsigned char *byte = table + number % BYTES;
            switch (number >> 22) {
            case 0: set(byte, number); break;
            case 1: add(byte, number); break;
            default: mix(byte, number);
            }
        }
        pthread_mutex_lock(&lock);
        all += table[round % BYTES];
        pthread_mutex_unlock(&lock);
    }
    unsigned long sum = 0;
    for (int i = 0; i < BYTES; i++) sum = sum * 31 + tables[me][i];
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    unsigned long sum = in_threads(threads_argument(count, arguments), work);
    printf("%lu\n", sum + all);
}
