// More tasks than there are threads of the engine for them.
// FLAGS: -fopenmp
static int a[5000];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 5000; i++) {
#pragma omp task firstprivate(i)
        a[i] = i;
    }
    int wrong = 0;
    for (int i = 0; i < 5000; i++) wrong += a[i] != i;
    return wrong;
}
