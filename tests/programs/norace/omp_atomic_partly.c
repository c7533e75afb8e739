// Updated atomically by all: integers and floating point, update, capture, read, write, compare.
// FLAGS: -fopenmp
int count, taken[4], most;
double sum;
float product = 1;

int main(void) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 20; i++) {
        int mine, seen;
#pragma omp atomic
        count++;
#pragma omp atomic
        sum += 0.5;
#pragma omp atomic update
        product *= 1;
#pragma omp atomic capture
        mine = taken[0]++;
#pragma omp atomic read
        seen = taken[1];
#pragma omp atomic write
        taken[1] = seen + mine - mine;
#pragma omp atomic compare
        if (most < i) most = i;
    }
    return count != 80 || sum != 40 || most != 19;
}
