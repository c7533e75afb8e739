// The second task does not say that it needs what the first one makes.
// FLAGS: -fopenmp
int made, used;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : made)
        made = 1;
#pragma omp task depend(out : used)
        used = made;
    }
    return 0;
}
