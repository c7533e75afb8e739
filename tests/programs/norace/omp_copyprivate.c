// The value is handed to everybody, and each has a copy.
// FLAGS: -fopenmp

int main(void) {
    int wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    for (int round = 0; round < 10; round++) {
        int value[8];
#pragma omp single copyprivate(value)
        for (int i = 0; i < 8; i++) value[i] = i + round;
        value[0]++;
        wrong += value[7] != 7 + round;
    }
    return wrong;
}
