// Taskgroups within taskgroups.
// FLAGS: -fopenmp
static int a[8], sum;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < 4; i++) {
#pragma omp task
                a[i] = i;
            }
#pragma omp taskgroup
            {
#pragma omp task
                a[7] = 7;
            }
            sum = a[7];
        }
        for (int i = 0; i < 4; i++) sum += a[i];
    }
    return sum != 13;
}
