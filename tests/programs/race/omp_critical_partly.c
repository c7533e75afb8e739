// Guarded where it is written, not where it is read.
// FLAGS: -fopenmp
#include <omp.h>
int count, seen[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical
            count++;
        } else {
            seen[omp_get_thread_num()] = count;
        }
    }
    return 0;
}
