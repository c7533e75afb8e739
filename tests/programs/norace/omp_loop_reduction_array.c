// A sum for every column: a section of an array is reduced.
// FLAGS: -fopenmp
int sums[8];

int main(void) {
#pragma omp parallel for num_threads(4) reduction(+ : sums[:8])
    for (int i = 0; i < 800; i++) sums[i % 8] += 1;
    return sums[3] == 0;
}
