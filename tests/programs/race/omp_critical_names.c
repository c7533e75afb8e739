// Two critical sections with different names exclude nothing.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
            count++;
        } else {
#pragma omp critical(other)
            count++;
        }
    }
    return 0;
}
