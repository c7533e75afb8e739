// A flag that is flushed, but not atomic.
// FLAGS: -fopenmp
#include <omp.h>
int flag, data;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 1;
#pragma omp flush
            flag = 1;
#pragma omp flush(flag)
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp flush(flag)
                seen = flag;
            }
#pragma omp flush
            data++;
        }
    }
    return 0;
}
