// Guarded wherever it is used.
// FLAGS: -fopenmp
#include <omp.h>
static int count, seen[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical
            count++;
        } else {
#pragma omp critical
            seen[omp_get_thread_num()] = count;
        }
    }
    return count != 1;
}
