// A counter that every thread starts for itself, from values that were captured.
// FLAGS: -fopenmp
struct start {
    int at, step, more[30];
};
int a[100];

int main(void) {
    struct start start = {5, 2, {0}};
    for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(4) firstprivate(start)
        {
#pragma omp for
            for (int i = 0; i < 100; i++) {
                a[i] = start.at;
                start.at += start.step + start.more[29];
            }
        }
        start.at++;
    }
    return a[0] != 9;
}
