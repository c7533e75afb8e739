// Memory from OpenMP's allocator, shared.
// FLAGS: -fopenmp
#include <omp.h>
#include <string.h>

int main(void) {
    int *block = omp_alloc(64, omp_default_mem_alloc);
    memset(block, 0, 64);
#pragma omp parallel num_threads(2)
    (*block)++;
    omp_free(block, omp_default_mem_alloc);
    return 0;
}
