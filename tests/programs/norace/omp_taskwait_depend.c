// The taskwait waits for the task whose result is used.
// FLAGS: -fopenmp
static int one, two;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 20; round++) {
#pragma omp task depend(out : one)
        one = round;
#pragma omp task depend(out : two)
        two = round;
#pragma omp taskwait depend(in : one)
        if (one != round) __builtin_trap();
#pragma omp taskwait depend(inout : two)
        two++;
    }
    return two != 20;
}
