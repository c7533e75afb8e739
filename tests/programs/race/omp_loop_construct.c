// A loop construct whose iterations depend on each other.
// FLAGS: -fopenmp -fopenmp-version=50
// EXPECT: data race on `a
static int a[401];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp loop bind(parallel)
    for (int i = 0; i < 400; i++) a[i] = a[i + 1] + 1;
    return a[399] < 0;
}
