// Two of very many tasks that all wait for one write the same element.
// FLAGS: -fopenmp
// EXPECT: data race on `a
enum { COUNT = 3000 };
static int a[COUNT];

int main(void) {
    int key = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : key) shared(key)
        key = 1;
        for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(in : key) shared(key) firstprivate(i)
            a[i == 700 ? 699 : i] = key;
        }
    }
    return a[5] != 1;
}
