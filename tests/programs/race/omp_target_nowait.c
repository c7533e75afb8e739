// A target region that is not waited for.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
int value;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : value)
        value = 1;
        value += 1;
    }
    return value == 0;
}
