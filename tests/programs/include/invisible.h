// Order between threads that no detector can see: system calls made directly and memory touched in assembly only, in
// functions that are not instrumented. A word counts signals; it starts at 0 and is used for nothing else.
#pragma once

#define INVISIBLE \
    static __attribute__((unused, noinline, no_sanitize("thread"), disable_sanitizer_instrumentation))

// futex(2), without libc.
INVISIBLE long invisible_futex(int *word, long operation, long value) {
    long result;
    register long no_timeout __asm__("r10") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(202L), "D"(word), "S"(operation), "d"(value), "r"(no_timeout)
                     : "rcx", "r11", "memory");
    return result;
}

// Adds one to the word, and wakes those who wait for that.
INVISIBLE void invisible_signal(int *word) {
    __asm__ volatile("lock incl (%0)" : : "r"(word) : "memory", "cc");
    invisible_futex(word, 1, 0x7fffffff);
}

// Signals counted so far.
INVISIBLE int invisible_count(int *word) {
    int count;
    __asm__ volatile("movl (%1), %0" : "=r"(count) : "r"(word) : "memory");
    return count;
}

// Waits until the word has counted `count` signals.
INVISIBLE void invisible_wait(int *word, int count) {
    int seen;
    while ((seen = invisible_count(word)) < count) invisible_futex(word, 0, seen);
}


// All of `count` threads meet; the word serves one meeting.
INVISIBLE void invisible_meet(int *word, int count) {
    invisible_signal(word);
    invisible_wait(word, count);
}

// A pause of the calling thread, milliseconds. It orders nothing: for a state of another thread that cannot be waited for,
// and then only where the verdict does not depend on it.
INVISIBLE void invisible_pause(long milliseconds) {
    long time[2];
    long result;
    long *where = time;
    long seconds = milliseconds / 1000, nanoseconds = milliseconds % 1000 * 1000000;
    __asm__ volatile("movq %1, (%0)\n\tmovq %2, 8(%0)" : : "r"(where), "r"(seconds), "r"(nanoseconds) : "memory");
    __asm__ volatile("syscall" : "=a"(result) : "a"(35L), "D"(where), "S"(0L) : "rcx", "r11", "memory");
}
