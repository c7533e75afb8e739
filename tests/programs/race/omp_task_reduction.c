// One of the tasks of a group takes part in the sum without saying so.
// FLAGS: -fopenmp
int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum += 1;
#pragma omp task shared(sum)
        sum += 2;
#pragma omp task shared(sum)
        sum += 3;
    }
    return 0;
}
