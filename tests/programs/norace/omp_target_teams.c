// Teams add to one variable with a reduction.
// FLAGS: -fopenmp
int main(void) {
    int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
    for (int i = 0; i < 400; i++) sum += 1;
    return sum == 0;
}
