// A benign race without a reason does not compile.
// BUILD-FAILS: array size is negative|negative size
#include <goldilocks.h>

int main(void) {
    int data = 0;
    GOLDILOCKS_BENIGN_RACE(&data, sizeof data, "");
    return data;
}
