// The parts of taskloops have objects of their own, which their constructors copy into memory that other tasks have had.
// FLAGS: -fopenmp
// RUNS: 3
#include <cassert>
#include <string>
#include <vector>

enum { LOOPS = 30, PARTS = 9 };
static std::size_t sums[LOOPS];

struct Words {
    std::vector<int> numbers{1, 1, 1};
    std::string text{"a string that is longer than what fits into one"};
};

static void loop(int which) {
    Words words;
    std::size_t sum = 0;
#pragma omp taskloop grainsize(1) firstprivate(words) reduction(+ : sum)
    for (int i = 0; i < PARTS; i++) {
        words.numbers.push_back(i);
        words.text += 'x';
        sum += words.numbers.size() + words.text.size();
    }
    sums[which] = sum;
}

int main() {
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int which = 0; which < LOOPS; which++) {
#pragma omp task firstprivate(which)
        loop(which);
    }
    for (std::size_t sum : sums) assert(sum == PARTS * (4 + sizeof "a string that is longer than what fits into one"));
}
