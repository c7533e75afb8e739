// Updated atomically by one, plainly by the other.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp atomic
            count++;
        } else {
            count++;
        }
    }
    return 0;
}
