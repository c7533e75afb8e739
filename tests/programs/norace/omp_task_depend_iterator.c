// A task that depends on all of those before it reads what they have written.
// FLAGS: -fopenmp -fopenmp-version=51
static int part[8];

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(out : part[i]) firstprivate(i)
            part[i] = i;
        }
#pragma omp task depend(iterator(int i = 0 : 8), in : part[i]) shared(sum)
        for (int i = 0; i < 8; i++) sum += part[i];
    }
    return sum < 0;
}
