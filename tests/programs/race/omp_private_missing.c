// A temporary that every iteration uses for itself, but that all share.
// FLAGS: -fopenmp
int a[100];

int main(void) {
    int temporary;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) {
        temporary = a[i] + i;
        a[i] = temporary;
    }
    return 0;
}
