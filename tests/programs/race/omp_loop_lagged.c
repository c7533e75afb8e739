// An iteration reads what one far away writes: no two in a row are in different threads.
// FLAGS: -fopenmp
// EXPECT: data race on `a
static int a[2000];

int main(void) {
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < 1000; i++) a[i + 700] = a[i] + 1;
    return a[1999] < 0;
}
