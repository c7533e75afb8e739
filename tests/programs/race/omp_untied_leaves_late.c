// The later part of an untied task, on another thread than the earlier one, is not ordered with a task beside it.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
// REPORTS: 1
#include "omp_leaves_late.h"

int value, done[2];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task untied firstprivate(i)
        {
            done[i]++;
#pragma omp taskyield
            done[i]++;
#pragma omp taskyield
            value = i;
        }
    }
    return done[0] + done[1] != 4;
}
