// Tasks write what they say that they write; one chain through every kind of dependence.
// FLAGS: -fopenmp
static int value, sum, parts[4];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : value)
        value = 1;
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(mutexinoutset : value)
            value += i;
        }
#pragma omp task depend(in : value)
        sum = value;
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(inoutset : value)
            parts[i] = value;
        }
#pragma omp task depend(inout : value)
        value = parts[0] + parts[3];
    }
    return value != 14 || sum != 7;
}
