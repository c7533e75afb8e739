// Each thread compresses texts of its own: a matcher with hash chains, of which the tables are reused from text to text.
// ARGS: 30
// QUICK: 5
// SMOKE: 1
// THREADS: 2
// SINGLE
#include "workload.h"
#include <string.h>

enum { SIZE = 1 << 18, HASHES = 1 << 14, WINDOW = 1 << 15, TRIES = 16 };
static long texts;

struct matcher {
    unsigned char text[SIZE + 8];
    int head[HASHES], previous[WINDOW];
};
static struct matcher *shared;

static void write_text(unsigned char *text, unsigned *state) {
    for (int at = 0; at < SIZE;) {
        unsigned word = next_number(state) % 300, length = 2 + word % 7;
        for (unsigned i = 0; i < length && at < SIZE; i++) text[at++] = (unsigned char)('a' + (word >> i) % 16);
        if (at < SIZE) text[at++] = ' ';
    }
}

static int length_of_match(const unsigned char *a, const unsigned char *b, int most) {
    int length = 0;
    while (length < most && a[length] == b[length]) length++;
    return length;
}

static unsigned long compress(struct matcher *m) {
    unsigned long sum = 0;
    memset(m->head, 0xff, sizeof m->head);
    for (int at = 0; at < SIZE - 4;) {
        const unsigned char *here = m->text + at;
        unsigned hash = (here[0] * 31u + here[1]) * 31u + here[2];
        hash = (hash * 2654435761u) >> 18;
        int best = 0, from = 0, most = SIZE - at < 255 ? SIZE - at : 255;
        int candidate = m->head[hash];
        for (int try = 0; try < TRIES && candidate >= 0 && candidate > at - WINDOW; try++) {
            int length = length_of_match(m->text + candidate, here, most);
            if (length > best) best = length, from = candidate;
            candidate = m->previous[candidate % WINDOW];
        }
        m->previous[at % WINDOW] = m->head[hash];
        m->head[hash] = at;
        sum = sum * 31 + (best > 3 ? (unsigned long)(at - from) * 256 + (unsigned long)best : here[0]);
        at += best > 3 ? best : 1;
    }
    return sum;
}

static unsigned long work(int me) {
    struct matcher *m = SEEDED ? shared : calloc(1, sizeof *m);
    unsigned state = (unsigned)me;
    unsigned long sum = 0;
    for (long i = 0; i < texts; i++) {
        write_text(m->text, &state);
        sum += compress(m);
    }
    if (!SEEDED) free(m);
    return sum;
}

int main(int count, char **arguments) {
    texts = size_argument(count, arguments);
    if (SEEDED) shared = calloc(1, sizeof *shared);
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
    free(shared);
}
