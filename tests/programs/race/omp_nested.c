// Inner regions of different outer threads share a variable.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp masked
            count++;
        }
    }
    return 0;
}
