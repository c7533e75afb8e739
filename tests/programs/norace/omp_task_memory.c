// The memory of tasks, and the stack that they run on, are used again and again.
// FLAGS: -fopenmp
#include <string.h>
struct large {
    char bytes[300];
};
static int total;

__attribute__((noinline)) static int deep(char *buffer, int level) {
    char more[64];
    memset(more, level, sizeof more);
    buffer[level] = more[level];
    return level == 0 ? buffer[0] : deep(more, level - 1) + buffer[level];
}

static void many(int levels) {
    struct large one = {{1}};
    int part = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(one) shared(part)
        {
            char buffer[64];
            one.bytes[i] = deep(buffer, 20);
            int inner = 0;
#pragma omp task shared(inner)
            inner = 1;
#pragma omp taskwait
#pragma omp atomic
            part += inner;
        }
    }
    if (levels > 0) {
#pragma omp task
        many(levels - 1);
    }
#pragma omp taskwait
#pragma omp atomic
    total += part;
}

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    many(20);
    return total != 210;
}
