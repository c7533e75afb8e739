// Different threads run two masked regions.
// FLAGS: -fopenmp -fopenmp-version=51
// EXPECT: data race on `value`
int value;

int main(void) {
#pragma omp parallel num_threads(3)
    {
#pragma omp masked filter(1)
        value = 1;
#pragma omp masked filter(2)
        value = 2;
    }
    return value == 0;
}
