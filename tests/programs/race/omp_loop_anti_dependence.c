// Each iteration reads what the next one overwrites: at the seams between threads in no order.
// FLAGS: -fopenmp
int a[1000];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 999; i++) a[i] = a[i + 1] + 1;
    return 0;
}
