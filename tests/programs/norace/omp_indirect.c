// A permutation.
// FLAGS: -fopenmp
int index_of[8] = {7, 1, 2, 3, 4, 5, 6, 0};
int a[8];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 8; i++) a[index_of[i]] += i;
    return a[7];
}
