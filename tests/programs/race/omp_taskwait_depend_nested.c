// As its twin, but one of the two that are waited for depends on nothing that is waited for.
// FLAGS: -fopenmp
// EXPECT: Location: global .*\btwo\b
int one, two, three;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : one) shared(one, two)
        {
#pragma omp task depend(out : three) shared(two)
            two = 1;
#pragma omp taskwait depend(in : two)
            one = two + 1;
        }
#pragma omp taskwait depend(in : one)
        three = one;
    }
    return 0;
}
