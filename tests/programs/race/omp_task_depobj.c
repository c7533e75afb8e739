// A dependence in an object, which has become one that only reads.
// FLAGS: -fopenmp -fopenmp-version=50
// EXPECT: data race on `value`
#include <omp.h>
int value;

int main(void) {
    int key = 0;
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : key)
#pragma omp depobj(object) update(in)
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(depobj : object)
        value++;
#pragma omp task depend(depobj : object)
        value++;
    }
#pragma omp depobj(object) destroy
    return value == 0;
}
