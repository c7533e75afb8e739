// One thread closes libraries, by which the dynamic linker frees memory while it holds its lock; another one reports races, for which it asks the dynamic
// linker; and a third one forks, for which nobody may be inside the runtime. None waits for the next one for ever.
// OPTIONS: report_once=0
// RUN-EXIT: 66
// EXPECT: WARNING: Goldilocks: data race
// STDOUT: ^done$
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int cells[150 * 16];
static atomic_int over;

static void *race(void *unused) {
    for (int i = 0; i < 150; i++) {
        cells[i * 16]++;
        usleep(100);
    }
    return unused;
}

static void *open_and_close(void *unused) {
    while (!atomic_load(&over)) {
        void *libraries[] = {dlopen("libm.so.6", RTLD_NOW), dlopen("libutil.so.1", RTLD_NOW), dlopen("libanl.so.1", RTLD_NOW)};
        for (int i = 0; i < 3; i++)
            if (libraries[i]) dlclose(libraries[i]);
    }
    return unused;
}

static void *fork_often(void *unused) {
    for (int i = 0; i < 150; i++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, 0, 0);
    }
    return unused;
}

int main(void) {
    pthread_t threads[5];
    void *(*const works[])(void *) = {race, race, fork_often, open_and_close, open_and_close};
    for (int i = 0; i < 5; i++) pthread_create(&threads[i], 0, works[i], 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    atomic_store(&over, 1);
    for (int i = 3; i < 5; i++) pthread_join(threads[i], 0);
    puts("done");
    return 0;
}
