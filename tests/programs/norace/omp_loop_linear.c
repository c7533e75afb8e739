// A variable that grows by one in each iteration, linear.
// FLAGS: -fopenmp
static int a[1000];

int main(void) {
    int place = 0;
#pragma omp parallel for simd num_threads(4) linear(place)
    for (int i = 0; i < 1000; i++) {
        a[place] = i;
        place++;
    }
    return a[999] < 0;
}
