// A long chain of tasks, each of which waits for the one before.
// FLAGS: -fopenmp
enum { COUNT = 3000 };
int value;

int main(void) {
    int key = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(inout : key)
        value++;
    }
    return value == 0;
}
