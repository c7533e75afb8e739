// Every iteration writes an element of its own, and one of them the last.
// FLAGS: -fopenmp
static int a[1000];
int last[4];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; i++) {
        a[i] = i;
        if (i == 999) last[1] = i;
    }
    return a[last[1]] < 0;
}
