// The creator of a merged task waits for it.
// FLAGS: -fopenmp
int main(void) {
    int x = 1;
#pragma omp parallel num_threads(2) shared(x)
#pragma omp single
    {
#pragma omp task mergeable shared(x)
        x++;
#pragma omp taskwait
        x += 2;
    }
    return x == 0;
}
