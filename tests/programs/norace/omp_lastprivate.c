// The last iteration leaves its value behind, and the sections theirs.
// FLAGS: -fopenmp
int main(void) {
    int last = 0, section = 0, seen = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < 100; i++) last = i;
#pragma omp sections lastprivate(section)
        {
#pragma omp section
            section = 1;
#pragma omp section
            section = 2;
        }
#pragma omp single
        seen = last + section;
    }
    return seen != 101;
}
