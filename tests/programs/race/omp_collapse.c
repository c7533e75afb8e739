// Two loops made one, so that the inner dependence crosses threads.
// FLAGS: -fopenmp
int m[9][9];

int main(void) {
#pragma omp parallel for collapse(2) num_threads(4)
    for (int i = 0; i < 9; i++)
        for (int j = 1; j < 9; j++) m[i][j] = m[i][j - 1] + 1;
    return 0;
}
