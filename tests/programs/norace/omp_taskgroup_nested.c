// The end of the outer group is after all tasks in it.
// FLAGS: -fopenmp
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
        }
        seen += value;
    }
    return seen == 0;
}
