// The inner loop runs along a diagonal, whose elements do not depend on each other.
// FLAGS: -fopenmp
static int a[40][40];

int main(void) {
    for (int sum = 2; sum < 78; sum++) {
#pragma omp parallel for num_threads(4)
        for (int i = 1; i < 40; i++) {
            int j = sum - i;
            if (j >= 1 && j < 40) a[i][j] = a[i - 1][j] + a[i][j - 1];
        }
    }
    return a[39][39];
}
