// The last of a long chain of tasks is not in it.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
enum { COUNT = 3000 };
int value;

int main(void) {
    int key = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < COUNT; i++) {
        if (i == COUNT - 1) {
#pragma omp task
            value++;
        } else {
#pragma omp task depend(inout : key)
            value++;
        }
    }
    return value == 0;
}
