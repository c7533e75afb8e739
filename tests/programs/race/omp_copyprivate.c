// The pointer is handed to everybody, and with it the memory that it points to.
// FLAGS: -fopenmp
#include <stdlib.h>

int main(void) {
#pragma omp parallel num_threads(4)
    {
        int *memory;
#pragma omp single copyprivate(memory)
        memory = malloc(sizeof *memory);
        *memory = 1;
    }
    return 0;
}
