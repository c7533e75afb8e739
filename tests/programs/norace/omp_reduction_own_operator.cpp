// The runtime combines structures by the program's own operator, thread by thread, within its barrier.
// FLAGS: -fopenmp
struct Sum {
    long parts[16] = {};
};

static void combine(Sum &into, const Sum &from) {
    for (int i = 0; i < 16; i++) into.parts[i] += from.parts[i];
}
#pragma omp declare reduction(merge : Sum : combine(omp_out, omp_in))

int main() {
    for (int threads = 1; threads <= 9; threads++) {
        Sum sum;
#pragma omp parallel num_threads(threads)
        {
#pragma omp for reduction(merge : sum)
            for (int i = 0; i < 160; i++) sum.parts[i % 16] += i;
#pragma omp single
            sum.parts[0]++;
        }
        long total = 0;
        for (long part : sum.parts) total += part;
        if (total != 159 * 80 + 1) return 1;
    }
    return 0;
}
