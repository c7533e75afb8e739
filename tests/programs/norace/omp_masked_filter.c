// The same thread runs two masked regions.
// FLAGS: -fopenmp -fopenmp-version=51
int value;

int main(void) {
#pragma omp parallel num_threads(3)
    {
#pragma omp masked filter(1)
        value = 1;
#pragma omp masked filter(1)
        value = 2;
    }
    return value == 0;
}
