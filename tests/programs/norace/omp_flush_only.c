// An atomic flag between flushes, relaxed as atomics are that do not say otherwise.
// FLAGS: -fopenmp
#include <omp.h>
int flag, data;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 1;
#pragma omp flush
#pragma omp atomic write relaxed
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read relaxed
                seen = flag;
            }
#pragma omp flush
            data++;
        }
    }
    return data != 2;
}
