// A counter that every thread should have started for itself.
// FLAGS: -fopenmp
int a[100];

int main(void) {
    int next = 0;
#pragma omp parallel num_threads(4) shared(next)
    {
#pragma omp for
        for (int i = 0; i < 100; i++) a[i] = next++;
    }
    return 0;
}
