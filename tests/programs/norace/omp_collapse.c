// Two loops made one, each element for itself.
// FLAGS: -fopenmp
int m[9][9];

int main(void) {
#pragma omp parallel for collapse(2) num_threads(4)
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) m[i][j] += i * j;
    return m[8][8] != 64;
}
