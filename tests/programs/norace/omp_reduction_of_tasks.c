// A reduction for tasks: one thread of the team makes the private copies for all, in a loop, in a region, and once more in another loop.
// FLAGS: -fopenmp
#include <omp.h>

#include "check.h"

enum { TASKS = 200 };

int main(void) {
    long of_loop = 0, of_next = 1, of_region = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for reduction(task, + : of_loop)
        for (long i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : of_loop)
            of_loop += i;
        }
#pragma omp for reduction(task, + : of_next)
        for (long i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : of_next)
            of_next += 2 * i;
        }
    }
#pragma omp parallel num_threads(4) reduction(task, + : of_region)
    for (long i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : of_region)
        of_region += i;
    }
    CHECK(of_loop == TASKS * (TASKS - 1) / 2);
    CHECK(of_next == 1 + TASKS * (TASKS - 1));
    CHECK(of_region == 4 * TASKS * (TASKS - 1) / 2);
    return 0;
}
