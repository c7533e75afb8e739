// The iterations of an ordered loop take turns.
// FLAGS: -fopenmp
int sum, trace[40];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered schedule(dynamic, 3)
        for (int i = 0; i < 40; i++) {
#pragma omp ordered
            trace[i] = sum++;
        }
#pragma omp for ordered schedule(static, 1)
        for (int i = 1; i < 40; i++) {
#pragma omp ordered
            trace[i] += trace[i - 1] - trace[i - 1];
        }
    }
    return trace[39] != 39;
}
