// Each iteration waits for those that it uses: in one loop, backwards, and in two dimensions.
// FLAGS: -fopenmp
int a[100], b[100], m[20][30];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered(1) schedule(static, 1) nowait
        for (int i = 1; i < 100; i++) {
#pragma omp ordered depend(sink : i - 1)
            a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(dynamic)
        for (int i = 98; i >= 0; i -= 2) {
#pragma omp ordered depend(sink : i + 2)
            b[i] = (i == 98 ? 0 : b[i + 2]) + 1;
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(2) schedule(static, 1)
        for (int i = 1; i < 20; i++)
            for (int j = 1; j < 30; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                m[i][j] = m[i - 1][j] + m[i][j - 1] + 1;
#pragma omp ordered depend(source)
            }
    }
    return a[99] != 99 || b[0] != 50;
}
