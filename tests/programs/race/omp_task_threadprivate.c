// Tasks change a variable of which there is one.
// FLAGS: -fopenmp
int count;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
        count++;
    }
    return 0;
}
