// Each section has its own variable, and the last one's is kept.
// FLAGS: -fopenmp
int main(void) {
    int x = 3, seen = 0;
#pragma omp parallel sections num_threads(2) firstprivate(x) lastprivate(x)
    {
#pragma omp section
        seen = x;
#pragma omp section
        x = 4;
    }
    return x != 4 || seen < 3;
}
