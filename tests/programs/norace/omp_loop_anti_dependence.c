// As the racy twin, but the result goes elsewhere.
// FLAGS: -fopenmp
static int a[1000], b[1000];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 999; i++) b[i] = a[i + 1] + 1;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 999; i++) a[i] = b[i];
    return a[0] - 1;
}
