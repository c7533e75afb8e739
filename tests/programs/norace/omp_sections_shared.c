// Two sections add to one variable, atomically.
// FLAGS: -fopenmp
int total;

int main(void) {
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
#pragma omp atomic
        total += 1;
#pragma omp section
#pragma omp atomic
        total += 2;
    }
    return total == 0;
}
