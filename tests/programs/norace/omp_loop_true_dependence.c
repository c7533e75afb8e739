// The columns of a row depend on one another, and the rows are shared out.
// FLAGS: -fopenmp
static double m[40][40];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int row = 0; row < 40; row++)
        for (int column = 1; column < 40; column++) m[row][column] = m[row][column - 1] + 1;
    return m[39][39] != 39;
}
