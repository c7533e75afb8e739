// Tasks of one mutexinoutset exclude each other.
// FLAGS: -fopenmp -fopenmp-version=51
int sum;

int main(void) {
    int key = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 8; i++) {
#pragma omp task shared(key) depend(mutexinoutset : key)
            sum += i;
        }
#pragma omp taskwait
    }
    return sum < 0;
}
