// The threads of a region are those of the one before, but it is another thread of the program that shares with them.
// FLAGS: -fopenmp
#include <pthread.h>
int shared, other;

static void *beside(void *nothing) {
    shared = 1;
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, beside, 0);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel for num_threads(3)
        for (int i = 0; i < 3; i++)
            if (i == 2) shared = 2;
    }
    pthread_join(thread, 0);
    return 0;
}
