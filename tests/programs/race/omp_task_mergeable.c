// The variable of a merged task is its creator's, who uses it, too.
// FLAGS: -fopenmp
// EXPECT: data race on `x`
int main(void) {
    int x = 1;
#pragma omp parallel num_threads(2) shared(x)
#pragma omp single
    {
#pragma omp task mergeable shared(x)
        x++;
        x += 2;
    }
    return x == 0;
}
