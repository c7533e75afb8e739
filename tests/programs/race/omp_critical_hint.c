// Critical regions of different names.
// FLAGS: -fopenmp -fopenmp-version=50
// EXPECT: data race on `value`
#include <omp.h>
int value;

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp critical(first) hint(omp_sync_hint_contended)
        value++;
#pragma omp critical(second)
        value++;
    }
    return value == 0;
}
