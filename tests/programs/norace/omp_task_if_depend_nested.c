// A task that is not deferred waits for what it depends on, and the thread runs another one meanwhile that has such a task, too.
// FLAGS: -fopenmp
// RUNS: 5
static int one, two, three;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : one) shared(one, two)
        {
#pragma omp task depend(out : two) shared(two)
            two = 1;
#pragma omp task if (0) depend(in : two) shared(one, two)
            one = two + 1;
        }
#pragma omp task if (0) depend(in : one) shared(one, three)
        three = one;
    }
    return three != 2;
}
