// The operator of a reduction changes something that all share.
// FLAGS: -fopenmp
struct Sum {
    long parts[4] = {};
};
int combined;

static void combine(Sum &into, const Sum &from) {
    combined++;
    for (int i = 0; i < 4; i++) into.parts[i] += from.parts[i];
}
#pragma omp declare reduction(merge : Sum : combine(omp_out, omp_in))

int main() {
    Sum sum;
#pragma omp parallel num_threads(4)
    {
#pragma omp for reduction(merge : sum) nowait
        for (int i = 0; i < 100; i++) sum.parts[i % 4] += i;
#pragma omp single
        combined++;
    }
    return 0;
}
