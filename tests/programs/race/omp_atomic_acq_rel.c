// A message whose flag is atomic, and relaxed.
// FLAGS: -fopenmp -fopenmp-version=50
// EXPECT: data race on `message`
#include <omp.h>
int message;
static int flag;

int main(void) {
    int got = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            message = 7;
#pragma omp atomic write relaxed
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read relaxed
                seen = flag;
            }
            got = message;
        }
    }
    return got != 7;
}
