// The result of a reduction is read after the next barrier, or after the loop's own.
// FLAGS: -fopenmp
#include <omp.h>
int sum, product = 1, seen[8];

int main(void) {
    omp_set_dynamic(0);
#pragma omp parallel num_threads(4)
    {
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < 100; i++) sum += i;
#pragma omp barrier
        seen[omp_get_thread_num()] = sum;
#pragma omp for reduction(* : product)
        for (int i = 0; i < 4; i++) product *= 2;
        seen[4 + omp_get_thread_num()] = product;
    }
    return !(seen[0] == 4950 && seen[3] == 4950 && seen[7] == 16);
}
