// Variables of a function that makes tasks that are not deferred, of these, and of what they and it call.
// FLAGS: -fopenmp
// FLAGS: -fopenmp -O0
static int __attribute__((noinline)) sum(int seed) {
    volatile int values[32];
    int sum = 0;
    for (int i = 0; i < 32; i++) values[i] = seed + i;
    for (int i = 0; i < 32; i++) sum += values[i];
    return sum;
}

static int work(int depth) {
    int value = 0, other = 0;
#pragma omp task shared(value)
    value = sum(1);
#pragma omp taskwait
#pragma omp task shared(value, other) if (0)
    {
        int local = sum(2);
#pragma omp task shared(local)
        local += sum(3);
#pragma omp taskwait
        other = value + local;
        if (depth) other += work(depth - 1);
    }
    return value + other + sum(4);
}

int main(void) {
    int failed = 0;
#pragma omp parallel num_threads(4) reduction(+ : failed)
    {
        int first = work(3);
        for (int round = 0; round < 20; round++) failed += work(3) != first;
    }
    return failed != 0;
}
