// Two sections share a variable; each waits until the other has been taken, so that two threads run them.
// FLAGS: -fopenmp
#include "invisible.h"
int shared, taken;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp sections
        {
#pragma omp section
            {
                invisible_meet(&taken, 2);
                shared = 1;
            }
#pragma omp section
            {
                invisible_meet(&taken, 2);
                shared = 2;
            }
        }
    }
    return 0;
}
