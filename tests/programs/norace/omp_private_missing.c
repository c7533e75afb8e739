// A temporary that every thread has for itself.
// FLAGS: -fopenmp
static int a[100];

int main(void) {
    int temporary, first = 7, last = 0;
#pragma omp parallel for num_threads(4) private(temporary) firstprivate(first) lastprivate(last)
    for (int i = 0; i < 100; i++) {
        temporary = a[i] + i + first;
        first = 7;
        a[i] = temporary;
        last = temporary;
    }
    return last != 106;
}
