// Makers and users of a value, over and over; users may run at once, and wait for the maker, which waits for them.
// FLAGS: -fopenmp
static int made, used[3];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 30; round++) {
#pragma omp task depend(out : made)
        made = round;
        for (int i = 0; i < 3; i++) {
#pragma omp task depend(in : made) depend(inout : used[i])
            used[i] += made;
        }
    }
    return used[0] != 435 || used[2] != 435;
}
