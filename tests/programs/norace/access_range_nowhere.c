// A short loop goes through memory that is not there: it faults where the program reads or writes, and the program's handler goes on from there.
// LEVELS: O1 O2
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include "check.h"

// Nothing is there: where no program is, a page that was given back, and what is no address of a program's. Of that, a fault need not say where.
enum { LOW, GONE, NO_ADDRESS, PLACES };
static uintptr_t places[PLACES] = {[LOW] = 0x10000, [NO_ADDRESS] = UINTPTR_MAX - 15};
static volatile int count = 5;
static int *volatile at;
static volatile long sink;
static sigjmp_buf back;
static volatile uintptr_t fault;

static void handler(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    fault = (uintptr_t)info->si_addr;
    siglongjmp(back, 1);
}

__attribute__((noinline)) static void reads(void) {
    int n = count, *p = at;
    long sum = 0;
    for (int i = 0; i < n; i++) sum += p[i];
    sink = sum;
}

__attribute__((noinline)) static void writes(void) {
    int n = count, *p = at;
    for (int i = 0; i < n; i++) p[i] = i;
}

static void faults(void (*does)(void)) {
    for (int i = 0; i < PLACES; i++) {
        at = (int *)places[i];
        fault = 1;
        if (!sigsetjmp(back, 1)) {
            does();
            CHECK(!"there is something");
        }
        CHECK(fault - places[i] < 5 * sizeof(int) || (i == NO_ADDRESS && fault == 0));
    }
}

static void *worker(void *argument) {
    for (int round = 0; round < 3; round++) {
        faults(reads);
        faults(writes);
    }
    return argument;
}

int main(void) {
    void *gone = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(gone != MAP_FAILED && munmap(gone, 4096) == 0);
    places[GONE] = (uintptr_t)gone;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGSEGV, &action, 0) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, worker, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
