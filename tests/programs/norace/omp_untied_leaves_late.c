// A thread that has run a part of an untied task returns from it when another thread has run the task to its end.
// FLAGS: -fopenmp
#include "omp_leaves_late.h"

static int values[40], sum, last;

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        {
#pragma omp taskgroup
            for (int i = 0; i < 20; i++) {
#pragma omp task untied firstprivate(i)
                {
                    values[i]++;
#pragma omp taskyield
                    values[i]++;
#pragma omp task firstprivate(i)
                    values[i + 20]++;
#pragma omp taskwait
                    values[i] += values[i + 20];
                }
            }
            for (int i = 0; i < 40; i++) {
                sum += values[i];
            }
            for (int i = 0; i < 10; i++) {
#pragma omp task untied depend(inout : last)
                {
                    last++;
#pragma omp taskyield
                    last++;
                }
            }
#pragma omp taskwait
            last++;
#pragma omp task untied
            {
                last++;
#pragma omp taskyield
                last++;
            }
        }
        if (last != 23) {
            _exit(1);
        }
    }
    return sum != 80;
}
