// A private pointer to a shared value.
// FLAGS: -fopenmp
// EXPECT: data race on
int main(void) {
    int shared = 0, *p = &shared;
#pragma omp parallel num_threads(4) firstprivate(p)
    {
        *p += 1;
    }
    return shared < 0;
}
