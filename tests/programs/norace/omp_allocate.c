// Memory from OpenMP's allocator goes from thread to thread.
// FLAGS: -fopenmp
#include <omp.h>
#include <string.h>

int main(void) {
#pragma omp parallel num_threads(4)
    for (int round = 0; round < 50; round++) {
        int *block = omp_alloc(64, omp_default_mem_alloc);
        memset(block, round, 64);
        int *zeros = omp_calloc(4, 4, omp_default_mem_alloc);
        if (zeros[3] != 0) __builtin_trap();
        zeros[3] = block[0];
        omp_free(zeros, omp_default_mem_alloc);
        omp_free(block, omp_default_mem_alloc);
    }
    return 0;
}
