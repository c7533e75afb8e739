// The last section's variable is the one outside, which another section reads.
// FLAGS: -fopenmp
// EXPECT: data race on `x`
int main(void) {
    int x = 3, seen = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        seen = x;
#pragma omp section
        x = 4;
    }
    return x != 4 || seen < 3;
}
