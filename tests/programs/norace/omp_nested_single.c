// Regions within a region: each team has its element.
// FLAGS: -fopenmp
#include <omp.h>
static int count[2];

int main(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) firstprivate(outer)
#pragma omp single
        count[outer]++;
    }
    return count[0] == 0;
}
