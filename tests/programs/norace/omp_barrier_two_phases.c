// Between two phases all threads wait.
// FLAGS: -fopenmp
static int table[4];

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
#pragma omp single
        for (int i = 0; i < 4; i++) table[i] = i;
        for (int i = 0; i < 4; i++) sum += table[i];
    }
    return sum < 0;
}
