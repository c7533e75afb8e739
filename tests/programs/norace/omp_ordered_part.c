// What is in the ordered region is ordered.
// FLAGS: -fopenmp
int sum;
static int a[100];

int main(void) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp ordered
        {
            a[i] = i ? a[i - 1] + 1 : 0;
            sum += i;
        }
    }
    return a[99] != 99 || sum < 0;
}
