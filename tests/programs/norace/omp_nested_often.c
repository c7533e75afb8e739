// Inner regions so short that one of them begins with the team of another one that has just ended.
// FLAGS: -fopenmp
// RUNS: 6
#include <omp.h>
static int counts[4][4];

int main(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
    {
        int outer = omp_get_thread_num();
        for (int round = 0; round < 200; round++) {
            int mine = round;
#pragma omp parallel num_threads(2)
            counts[outer][omp_get_thread_num()] += mine;
        }
    }
    for (int i = 0; i < 4; i++) {
        if (counts[i][0] != 19900 || counts[i][1] != 19900) {
            return 1;
        }
    }
    return 0;
}
