// The masters of a league share a variable.
// FLAGS: -fopenmp
// RUN: KMP_WARNINGS=0 exec "$OUT"
int main(void) {
    int sum = 0;
#pragma omp teams num_teams(2) thread_limit(2) shared(sum)
    sum++;
    return 0;
}
