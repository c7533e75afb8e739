// A ticket is captured atomically: each thread has another one.
// FLAGS: -fopenmp
static int taken[400];
int next;

int main(void) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
        int mine;
#pragma omp atomic capture
        mine = next++;
        taken[mine] = 1;
    }
    return taken[399] != 1;
}
