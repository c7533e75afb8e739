// Stages of a pipeline depend on sections of which each starts one further: they do not wait for each other.
// FLAGS: -fopenmp
// EXPECT: data race on `a
static int a[64];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int stage = 0; stage < 4; stage++) {
#pragma omp task depend(inout : a[stage : 16]) firstprivate(stage)
        for (int i = 0; i < 64; i++) a[i] += stage;
    }
    return a[63] != 6;
}
