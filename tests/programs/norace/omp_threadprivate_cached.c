// As older compilers had it: the runtime keeps the threads' copies.
// FLAGS: -fopenmp -fnoopenmp-use-tls
#include <omp.h>
static int own = 3;
#pragma omp threadprivate(own)
int seen[4];

int main(void) {
    own = 7;
#pragma omp parallel num_threads(4) copyin(own)
    own += omp_get_thread_num();
#pragma omp parallel num_threads(4)
    {
        seen[omp_get_thread_num()] = own;
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task
            own++;
        }
    }
    return seen[0] != 7 || seen[3] != 10;
}
