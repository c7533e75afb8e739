// A maximum by an atomic comparison; who reads it is a plain load.
// FLAGS: -fopenmp -fopenmp-version=51
// EXPECT: data race on `most`
int most;
static volatile int sink;

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 200; i++) {
#pragma omp atomic compare
        if (most < i) { most = i; }
        sink = most;
    }
    return most != 199;
}
