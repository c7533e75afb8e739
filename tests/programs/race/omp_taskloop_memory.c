// As its twin, but all rows have one counter in common.
// FLAGS: -fopenmp
// EXPECT: Location: global .*\bcommon\b
#include <assert.h>

enum { ROWS = 40, COLUMNS = 4 };
static int rows[ROWS][COLUMNS];
int common;

static void loop(int *row, int more) {
    int own[3] = {more, more, more};
#pragma omp taskloop grainsize(1) firstprivate(row, own)
    for (int i = 0; i < COLUMNS; i++) {
        own[i % 3]++;
        row[i] += own[i % 3];
        common++;
    }
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int row = 0; row < ROWS; row++) {
#pragma omp task firstprivate(row)
        loop(rows[row], row);
    }
    for (int i = 0; i < ROWS * COLUMNS; i++) assert(rows[i / COLUMNS][i % COLUMNS] == i / COLUMNS + 1);
    return 0;
}
