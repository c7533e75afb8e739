// A taskwait with a dependence, while which the thread runs a task that has one, too.
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
#pragma omp taskwait depend(in : two)
            one = two + 1;
        }
#pragma omp taskwait depend(in : one)
        three = one;
    }
    return three != 2;
}
