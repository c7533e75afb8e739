// As its twin, but the distance is as long as the loop.
// FLAGS: -fopenmp
static int a[2000];

int main(void) {
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < 1000; i++) a[i + 1000] = a[i] + 1;
    return a[1999] < 0;
}
