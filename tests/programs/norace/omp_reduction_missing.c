// Sums over loops, with the clause: several types, operators and variables, and often.
// FLAGS: -fopenmp
// STDOUT: ^4950 0 99 3000$
#include <stdio.h>

int main(void) {
    for (int round = 0; round < 20; round++) {
        int sum = 0, least = 1000, most = -1;
        double scaled = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum) reduction(min : least) reduction(max : most)
        for (int i = 0; i < 100; i++) {
            sum += i;
            if (i < least) least = i;
            if (i > most) most = i;
        }
#pragma omp parallel num_threads(3) reduction(+ : scaled)
        scaled += 1000;
        if (round == 19) printf("%d %d %d %.0f\n", sum, least, most, scaled);
    }
    return 0;
}
