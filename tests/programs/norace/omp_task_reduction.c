// The tasks of a group have a part of the sum per thread.
// FLAGS: -fopenmp
int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 5; round++) {
#pragma omp taskgroup task_reduction(+ : sum)
        for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
        sum++;
    }
    return sum != 5 * 436;
}
