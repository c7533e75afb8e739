// Loops that are given out in every way.
// FLAGS: -fopenmp
int a[300], b[300];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 300; i++) a[i] = i;
#pragma omp for schedule(guided, 4)
        for (int i = 0; i < 300; i++) b[i] = a[299 - i];
#pragma omp for schedule(runtime)
        for (int i = 0; i < 300; i++) a[i] = b[299 - i];
#pragma omp for schedule(nonmonotonic : dynamic, 7)
        for (int i = 0; i < 300; i++) b[i] = a[299 - i];
#pragma omp for order(concurrent)
        for (int i = 0; i < 300; i++) a[i] += b[299 - i];
    }
    return a[299] != 598;
}
