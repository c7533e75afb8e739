// Variables of the threads, copied in and kept from region to region.
// FLAGS: -fopenmp
#include <omp.h>
int own = 3;
#pragma omp threadprivate(own)
int seen[4];

int main(void) {
    own = 7;
#pragma omp parallel num_threads(4) copyin(own)
    own += omp_get_thread_num();
#pragma omp parallel num_threads(4)
    seen[omp_get_thread_num()] = own;
    return seen[0] != 7 || seen[3] != 10;
}
