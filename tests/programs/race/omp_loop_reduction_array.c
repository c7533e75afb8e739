// A sum for every column, without reduction of the array.
// FLAGS: -fopenmp
// EXPECT: data race on `sums
int sums[8];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 800; i++) sums[i % 8] += 1;
    return sums[3] == 0;
}
