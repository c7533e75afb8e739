// The end of an inner group says nothing of a task of the outer one.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
int value;

int main(void) {
    int seen = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            value = 1;
#pragma omp taskgroup
            {
#pragma omp task shared(seen)
                seen = 1;
            }
            seen += value;
        }
    }
    return seen == 0;
}
