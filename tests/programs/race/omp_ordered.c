// The loop is ordered, but the access is outside of the ordered region.
// FLAGS: -fopenmp
int sum, count;

int main(void) {
#pragma omp parallel for ordered num_threads(4) schedule(static, 1)
    for (int i = 0; i < 40; i++) {
        sum += i;
#pragma omp ordered
        count++;
    }
    return 0;
}
