// Between two phases some threads do not wait: there is no barrier at the end of a single region with nowait.
// FLAGS: -fopenmp
// EXPECT: data race on `table
static int table[4];

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
#pragma omp single nowait
        for (int i = 0; i < 4; i++) table[i] = i;
        for (int i = 0; i < 4; i++) sum += table[i];
    }
    return sum < 0;
}
