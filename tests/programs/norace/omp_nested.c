// Inner regions, each with a variable of its outer thread, and barriers of their own.
// FLAGS: -fopenmp
#include <omp.h>
int counts[4][4], sums[4];

int main(void) {
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3)
    {
        int outer = omp_get_thread_num();
        for (int round = 0; round < 10; round++) {
            int mine = round;
#pragma omp parallel num_threads(3)
            {
                counts[outer][omp_get_thread_num()] = mine;
#pragma omp barrier
#pragma omp single
                sums[outer] = counts[outer][0] + counts[outer][2];
#pragma omp for reduction(+ : mine)
                for (int i = 0; i < 9; i++) mine += i;
            }
            sums[outer] += mine - mine;
        }
#pragma omp barrier
#pragma omp masked
        sums[0] += sums[1] + sums[2];
    }
    return sums[0] != 54;
}
