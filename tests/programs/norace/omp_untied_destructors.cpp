// What an untied task owns is destroyed when its last part has run, whichever thread returns from it last.
// FLAGS: -fopenmp
#include "omp_leaves_late.h"

static int uses[40];

class User {
    int index;

  public:
    explicit User(int index) : index(index) {}
    User(const User &other) : index(other.index) {}
    void use() { uses[index]++; }
    ~User() { uses[index]++; }
};

static void work(int index) {
    User user(index);
#pragma omp task untied firstprivate(user)
    {
        user.use();
#pragma omp taskyield
        user.use();
    }
    // The one out here, before it goes.
#pragma omp taskwait
}

int main() {
#pragma omp parallel num_threads(4)
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 40; i++) {
        work(i);
    }
    for (int count : uses) {
        if (count != 4) {
            return 1;
        }
    }
    return 0;
}
