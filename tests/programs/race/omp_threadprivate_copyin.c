// A variable of which each thread has one, and a pointer to the first one.
// FLAGS: -fopenmp
// EXPECT: data race on
static int own;
#pragma omp threadprivate(own)

int main(void) {
    int wrong = 0;
    own = 7;
    int *mine = &own;
#pragma omp parallel num_threads(4) copyin(own) reduction(+ : wrong)
    {
        wrong += own != 7;
        *mine += 1;
    }
    return wrong > 3 || !mine;
}
