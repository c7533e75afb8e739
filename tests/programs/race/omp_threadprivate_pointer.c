// A pointer to one thread's own variable, in the hands of another.
// FLAGS: -fopenmp
#include <omp.h>
int own;
#pragma omp threadprivate(own)
int *of_first;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) of_first = &own;
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            own = 1;
        else
            *of_first = 2;
    }
    return 0;
}
