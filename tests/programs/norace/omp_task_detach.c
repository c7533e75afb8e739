// What precedes the fulfilment of a task's event comes before the end of what waits for the task.
// FLAGS: -fopenmp
#include <omp.h>
static int value, other;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 20; round++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value)
        value = 1;
#pragma omp task firstprivate(event)
        {
            other = round;
            omp_fulfill_event(event);
        }
#pragma omp task depend(in : value)
        other += value;
#pragma omp taskwait
    }
    return other != 20;
}
