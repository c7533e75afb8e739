// A private pointer to a value of the thread's own.
// FLAGS: -fopenmp
int main(void) {
    int shared = 0, *p = &shared;
#pragma omp parallel num_threads(4) firstprivate(p)
    {
        int own = 0;
        p = &own;
        *p += 1;
    }
    return shared < 0;
}
