// Tasks of one inoutset run at the same time.
// FLAGS: -fopenmp -fopenmp-version=51
// EXPECT: data race on `sum`
int sum;

int main(void) {
    int key = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 8; i++) {
#pragma omp task shared(key) depend(inoutset : key)
            sum += i;
        }
#pragma omp taskwait
    }
    return sum < 0;
}
