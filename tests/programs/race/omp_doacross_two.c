// A loop of two levels that waits for one of its two neighbours.
// FLAGS: -fopenmp
// EXPECT: data race on `a
static int a[20][20];

int main(void) {
#pragma omp parallel for ordered(2) num_threads(4) schedule(static, 1)
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < 20; j++) {
#pragma omp ordered depend(sink : i, j - 1)
            a[i][j] = a[i - 1][j] + a[i][j - 1] + 1;
#pragma omp ordered depend(source)
        }
    return a[19][19] == 0;
}
