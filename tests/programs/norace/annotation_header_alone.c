// Without Goldilocks the header is nothing: it needs no library, evaluates nothing, and is valid in C and C++, pedantically.
// BUILD: for language in c c++; do $LLVM/clang -x $language -Wall -Wextra -Werror -pedantic -I"$(dirname $CC)/../include" $SRC -o $OUT; $OUT; done
// RUN: $OUT
#include <goldilocks.h>

int evaluated;
int *evaluate(int *object);
int *evaluate(int *object) {
    evaluated++;
    return object;
}

int main(void) {
    int object = 0;
    void *fiber = GOLDILOCKS_FIBER_CREATE();
    GOLDILOCKS_SOURCE(evaluate(&object));
    GOLDILOCKS_SINK(evaluate(&object));
    GOLDILOCKS_LOCKED(evaluate(&object));
    GOLDILOCKS_UNLOCKING(evaluate(&object));
    GOLDILOCKS_BENIGN_RACE(evaluate(&object), sizeof object, "none at all");
    GOLDILOCKS_IGNORE_READS_BEGIN();
    GOLDILOCKS_IGNORE_READS_END();
    GOLDILOCKS_HAND_OVER(evaluate(&object), sizeof object);
    GOLDILOCKS_FIBER_SWITCH(fiber);
    GOLDILOCKS_THREAD_NAME("main");
    return evaluated + GOLDILOCKS_ENABLED;
}
