// Two sections add to one variable.
// FLAGS: -fopenmp
// EXPECT: data race on `total`
int total;

int main(void) {
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        total += 1;
#pragma omp section
        total += 2;
    }
    return total == 0;
}
