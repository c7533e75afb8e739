// A task far down the line uses what the first one did.
// FLAGS: -fopenmp
int a[5000];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 900; i++) {
#pragma omp task firstprivate(i)
        a[i % 899] = i;
    }
    return 0;
}
