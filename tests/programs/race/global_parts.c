// Parts of globals that the source does not name are called by the types in the debug information.
// FLAGS: -g
// REPORTS: 4
// EXPECT: data race on `table\[1\]\.counts\[2\]`
// EXPECT: data race on `table\[0\]\.counts\[1\]\+2`
// EXPECT: data race on `grid\[2\]\[3\]`
// EXPECT: data race on `either\+4`
#include <pthread.h>
#include <string.h>

#include "check.h"

typedef struct {
    char name[8];
    int counts[4];
} Row;

Row table[2];
short grid[3][5];
union {
    int number[2];
    double real;
} either;

static void *work(void *value) {
    // By memset, which has no expression of the source's.
    memset(&table[1].counts[2], (int)(long)value, sizeof(int));
    memset((char *)&table[0].counts[1] + 2, (int)(long)value, 1);
    memset(&grid[2][3], (int)(long)value, sizeof(short));
    memset((char *)&either + 4, (int)(long)value, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, work, (void *)1) == 0);
    work((void *)2);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
