// Teams add to one variable.
// FLAGS: -fopenmp
// EXPECT: data race on
int main(void) {
    int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum)
    for (int i = 0; i < 400; i++) sum += 1;
    return sum == 0;
}
