// An atomic write, and an atomic read of another thread.
// FLAGS: -fopenmp
#include <omp.h>
int flag;
static int seen;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp atomic write
            flag = 1;
        } else {
#pragma omp atomic read
            seen = flag;
        }
    }
    return seen > 1;
}
