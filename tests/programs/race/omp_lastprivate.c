// Each iteration writes what only the last should leave behind.
// FLAGS: -fopenmp
int last;

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) last = i;
    return 0;
}
