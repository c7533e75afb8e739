// A ticket is captured atomically, and the number of tickets is read plainly meanwhile.
// FLAGS: -fopenmp
// EXPECT: global `next`
static int taken[400];
int next;

int main(void) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
        int mine;
#pragma omp atomic capture
        mine = next++;
        taken[mine] = next > 0;
    }
    return taken[399] != 1;
}
