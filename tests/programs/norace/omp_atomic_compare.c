// A maximum by an atomic comparison; it is read when the loop is over.
// FLAGS: -fopenmp -fopenmp-version=51
int most;
static volatile int sink;

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 200; i++) {
#pragma omp atomic compare
        if (most < i) { most = i; }
    }
    return most != 199;
}
