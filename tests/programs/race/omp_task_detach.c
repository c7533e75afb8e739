// The task has run, but is not complete before its event is fulfilled; what comes after that is not before its end.
// FLAGS: -fopenmp
#include <omp.h>
int value;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        value = 1;
#pragma omp task firstprivate(event)
        {
            omp_fulfill_event(event);
            value = 2;
        }
#pragma omp taskwait
    }
    return 0;
}
