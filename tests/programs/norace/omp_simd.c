// Vectorized loops: alone, whatever they depend on; and shared out without dependences.
// FLAGS: -fopenmp
float a[1024], b[1024];

int main(void) {
#pragma omp simd safelen(16)
    for (int i = 16; i < 1024; i++) a[i] = a[i - 16] * 2;
#pragma omp parallel for simd num_threads(4)
    for (int i = 0; i < 1024; i++) b[i] = a[i] * 2;
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 1023; i++) a[i] = b[i + 1];
    return 0;
}
