// The columns of a row depend on one another, and are shared out.
// FLAGS: -fopenmp
double m[40][40];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int column = 1; column < 40; column++)
        for (int row = 0; row < 40; row++) m[row][column] = m[row][column - 1] + 1;
    return 0;
}
