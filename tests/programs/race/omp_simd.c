// A loop that is shared out and vectorized, with a dependence across its iterations.
// FLAGS: -fopenmp
float a[1024];

int main(void) {
#pragma omp parallel for simd num_threads(4)
    for (int i = 16; i < 1024; i++) a[i] = a[i - 16] * 2;
    return 0;
}
