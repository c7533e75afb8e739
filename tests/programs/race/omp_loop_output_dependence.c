// Every iteration writes the same element of another array.
// FLAGS: -fopenmp
// EXPECT: data race on `last
static int a[1000];
int last[4];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; i++) {
        a[i] = i;
        last[1] = i;
    }
    return a[last[1]] < 0;
}
