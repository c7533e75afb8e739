// The tasks of a loop have parts of an array, sums of their own, and copies of a structure; the end of the loop waits for them.
// FLAGS: -fopenmp
struct large {
    int words[100];
};
static int a[100], sum;

int main(void) {
    struct large copy = {{0}};
    for (int i = 0; i < 100; i++) copy.words[i] = i;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 20; round++) {
#pragma omp taskloop num_tasks(10) firstprivate(copy)
        for (int i = 0; i < 100; i++) {
            a[i] = copy.words[i] + copy.words[(i + 99) % 100];
        }
        for (int i = 0; i < 100; i++) sum += a[i];
#pragma omp taskloop reduction(+ : sum) grainsize(7)
        for (int i = 0; i < 100; i++) sum += a[i];
    }
    return sum != 20 * 4 * 4950;
}
