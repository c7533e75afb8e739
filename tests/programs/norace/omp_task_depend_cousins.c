// Dependences order children of one task; elements and sections of an array, and a pointer's target.
// FLAGS: -fopenmp
static int a[40];

int main(void) {
    int *p = a + 30;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int block = 0; block < 4; block++) {
#pragma omp task depend(out : a[10 * block : 10])
            for (int i = 0; i < 10; i++) a[10 * block + i] = i;
        }
        for (int block = 0; block < 3; block++) {
#pragma omp task depend(inout : a[10 * block : 10]) depend(in : *p)
            for (int i = 0; i < 10; i++) a[10 * block + i] += a[30 + i];
        }
#pragma omp task depend(in : a[0 : 10], a[10 : 10], a[20 : 10])
        a[39] = a[9] + a[19] + a[29];
    }
    return a[39] != 54;
}
