// Loops over every other element, and over one field of structures, each thread over what the other one leaves out; upwards, downwards, and a number of times that
// only the run knows, none of them among these.
// LEVELS: O0 O1 O2 O3
#include "unordered.h"

enum { COUNT = 300 };
static volatile int count = COUNT, none = 0;
static long numbers[2 * COUNT];
static struct {
    int x, y, z;
} points[COUNT];
static unsigned char bytes[3 * COUNT];
static volatile long sink;

static void first(void) {
    int n = count;
    for (int i = 0; i < n; i++) numbers[2 * i] = i;
    for (int i = n - 1; i >= 0; i--) points[i].y = i;
    for (int i = 0; i < n; i++) bytes[3 * i + 1] = (unsigned char)i;
    for (int i = 0; i < none; i++) numbers[2 * i + 1] = i;
}

static void second(void) {
    int n = count;
    long sum = 0;
    for (int i = n - 1; i >= 0; i--) sum += numbers[2 * i + 1];
    for (int i = 0; i < n; i++) sum += points[i].x;
    for (int i = 0; i < n; i++) points[i].z = i;
    for (int i = 0; i < n; i++) bytes[3 * i] = bytes[3 * i + 2];
    for (int i = 0; i < none; i++) sum += numbers[2 * i];
    sink = sum;
}
