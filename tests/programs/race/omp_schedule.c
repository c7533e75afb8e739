// Neighbours in a loop that is given out piece by piece; two pieces meet in two threads.
// FLAGS: -fopenmp
#include "invisible.h"
int a[3], started;

int main(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
    for (int i = 0; i < 2; i++) {
        invisible_meet(&started, 2);
        a[i] = a[i + 1];
    }
    return 0;
}
