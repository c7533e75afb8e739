// What another task does to a variable of a function that then makes a task that is not deferred.
// FLAGS: -fopenmp
// FLAGS: -fopenmp -O0
#include <unistd.h>

static void work(void) {
    int value = 2;
#pragma omp task shared(value)
    value--; // EXPECT: data race
    usleep(50000);
#pragma omp task if (0)
    __asm__ volatile("" ::: "memory");
    *(volatile int *)&value;
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    work();
    return 0;
}
