// A message whose flag is released and acquired.
// FLAGS: -fopenmp -fopenmp-version=50
#include <omp.h>
int message;
static int flag;

int main(void) {
    int got = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            message = 7;
#pragma omp atomic write release
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read acquire
                seen = flag;
            }
            got = message;
        }
    }
    return got != 7;
}
