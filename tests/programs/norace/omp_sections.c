// Sections with variables of their own, read after the barrier at their end.
// FLAGS: -fopenmp
static int one, two, sum[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp sections
        {
#pragma omp section
            one = 1;
#pragma omp section
            two = 2;
        }
#pragma omp for
        for (int i = 0; i < 4; i++) sum[i] = one + two;
    }
    return sum[3] != 3;
}
