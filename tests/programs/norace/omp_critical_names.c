// Critical sections of one name, in different places; and those that have none are one.
// FLAGS: -fopenmp
#include <omp.h>
static int count, more;

static void from_function(void) {
#pragma omp critical(one)
    count++;
}

int main(void) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 50; i++) {
        if (omp_get_thread_num() & 1) {
#pragma omp critical(one)
            count++;
#pragma omp critical
            more++;
        } else {
            from_function();
#pragma omp critical
            more += 2;
        }
    }
    return count != 200 || more != 300;
}
