// Critical regions of one name, with a hint.
// FLAGS: -fopenmp -fopenmp-version=50
#include <omp.h>
int value;

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp critical(first) hint(omp_sync_hint_contended)
        value++;
#pragma omp critical(first) hint(omp_sync_hint_contended)
        value++;
    }
    return value == 0;
}
