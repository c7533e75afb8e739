// An atomic flag, with no flush on the side of the reader.
// FLAGS: -fopenmp
#include <omp.h>
int flag, data;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 1;
#pragma omp atomic write release
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read relaxed
                seen = flag;
            }
            data++;
        }
    }
    return 0;
}
