// A loop construct.
// FLAGS: -fopenmp -fopenmp-version=50
static int a[401];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp loop bind(parallel)
    for (int i = 0; i < 400; i++) a[i] = i + 1;
    return a[399] < 0;
}
