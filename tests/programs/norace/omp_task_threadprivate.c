// Tasks change a variable of which every thread has one, by any of the ways to have that.
// FLAGS: -fopenmp
#include <omp.h>
static int count;
#pragma omp threadprivate(count)
static _Thread_local int local;
static int counts[4], total;

int main(void) {
#pragma omp parallel num_threads(4)
    {
        counts[omp_get_thread_num()] = 0;
#pragma omp single
        for (int i = 0; i < 50; i++) {
#pragma omp task
            {
                count++;
                local++;
                counts[omp_get_thread_num()]++;
            }
        }
        local += count;
#pragma omp critical
        total += count + local + counts[omp_get_thread_num()];
    }
    return total != 200;
}
