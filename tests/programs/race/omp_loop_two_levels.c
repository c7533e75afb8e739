// The counter of an inner loop is shared.
// FLAGS: -fopenmp
// EXPECT: data race
static int a[50][50];

int main(void) {
    int i, j = 0;
#pragma omp parallel for num_threads(4)
    for (i = 0; i < 50; i++)
        for (j = 0; j < 50; j++) a[i][j] = i;
    return a[49][49] != 49;
}
