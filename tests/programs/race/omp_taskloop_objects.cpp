// The parts of a taskloop have objects of their own that refer to one and the same number.
// FLAGS: -fopenmp
// EXPECT: Location: global .*\bnumber\b
#include <string>

int number;

struct Counter {
    int *counts{&number};
    std::string name{"a string that is longer than what fits into one"};
};

int main() {
    Counter counter;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop grainsize(1) firstprivate(counter)
    for (int i = 0; i < 8; i++) {
        counter.name += 'x';
        ++*counter.counts;
    }
}
