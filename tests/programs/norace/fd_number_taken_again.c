// Two threads take turns to open, use and close a descriptor, each for itself: the kernel gives both the same number, by whichever way
// it comes and goes.
// LEVELS: O1
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

struct thing {
    int number;
    void *of_libc;
};

static struct thing as_number(int number) { return (struct thing){number, 0}; }
static struct thing as_stream(FILE *stream) {
    CHECK(stream);
    return (struct thing){fileno(stream), stream};
}

static struct thing by_open(void) { return as_number(open("/dev/zero", O_RDWR)); }
static struct thing by_openat_call(void) { return as_number(syscall(SYS_openat, AT_FDCWD, "/dev/zero", O_RDWR)); }
static struct thing by_memfd(void) { return as_number(memfd_create("a", 0)); }
static struct thing by_dup(void) { return as_number(dup(1)); }
static struct thing by_fcntl(void) { return as_number(fcntl(1, F_DUPFD, 3)); }
static struct thing by_fcntl_call(void) { return as_number(syscall(SYS_fcntl, 1, F_DUPFD, 3)); }
static struct thing by_socket(void) { return as_number(socket(AF_INET, SOCK_DGRAM, 0)); }
static struct thing by_eventfd(void) { return as_number(eventfd(0, 0)); }
static struct thing by_epoll(void) { return as_number(epoll_create1(0)); }
static struct thing by_timerfd(void) { return as_number(timerfd_create(CLOCK_MONOTONIC, 0)); }
static struct thing by_signalfd_call(void) {
    unsigned long set = 1 << 9;
    return as_number(syscall(SYS_signalfd4, -1, &set, 8, 0));
}
static struct thing by_inotify(void) { return as_number(inotify_init()); }
static struct thing by_inotify1(void) { return as_number(inotify_init1(0)); }
static struct thing by_terminal(void) { return as_number(posix_openpt(O_RDWR | O_NOCTTY)); }
static struct thing by_pidfd(void) { return as_number(pidfd_open(getpid(), 0)); }
static struct thing by_pidfd_call(void) { return as_number(syscall(SYS_pidfd_open, getpid(), 0)); }
static struct thing by_shared_memory(void) {
    struct thing it = as_number(shm_open("/goldilocks-number", O_CREAT | O_RDWR, 0600));
    shm_unlink("/goldilocks-number");
    return it;
}
static struct thing by_temporary(void) {
    char name[] = "/tmp/goldilocks-XXXXXX";
    struct thing it = as_number(mkostemp(name, O_CLOEXEC));
    unlink(name);
    return it;
}
static struct thing by_pipe(void) {
    int ends[2];
    CHECK(pipe(ends) == 0 && close(ends[1]) == 0);
    return as_number(ends[0]);
}

static struct thing by_fopen(void) { return as_stream(fopen("/dev/null", "w")); }
static struct thing by_fdopen(void) { return as_stream(fdopen(open("/dev/null", O_WRONLY), "w")); }
static struct thing by_tmpfile(void) { return as_stream(tmpfile()); }
static struct thing by_freopen(void) { return as_stream(freopen("/dev/zero", "r", fopen("/dev/null", "w"))); }
static struct thing by_opendir(void) {
    DIR *folder = opendir("/");
    CHECK(readdir(folder));
    return (struct thing){dirfd(folder), folder};
}
static struct thing by_fdopendir(void) {
    DIR *folder = fdopendir(openat(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY));
    CHECK(readdir(folder));
    return (struct thing){dirfd(folder), folder};
}

static void by_close(struct thing it) { CHECK(close(it.number) == 0); }
static void by_close_call(struct thing it) { CHECK(syscall(SYS_close, it.number) == 0); }
static void by_range(struct thing it) { CHECK(close_range(it.number, ~0u, 0) == 0); }
static void by_range_call(struct thing it) { CHECK(syscall(SYS_close_range, it.number, it.number, 0) == 0); }
static void by_closefrom(struct thing it) { closefrom(it.number); }
static void by_fclose(struct thing it) { CHECK(fclose(it.of_libc) == 0); }
static void by_closedir(struct thing it) { CHECK(closedir(it.of_libc) == 0); }

static struct way {
    struct thing (*make)(void);
    void (*end)(struct thing);
} ways[] = {
    {by_open, by_close},
    {by_openat_call, by_close_call},
    {by_open, by_range},
    {by_open, by_range_call},
    {by_open, by_closefrom},
    {by_memfd, by_close},
    {by_dup, by_close},
    {by_fcntl, by_closefrom},
    {by_fcntl_call, by_close},
    {by_socket, by_range},
    {by_eventfd, by_close},
    {by_epoll, by_close},
    {by_timerfd, by_close},
    {by_signalfd_call, by_close},
    {by_inotify, by_close},
    {by_inotify1, by_closefrom},
    {by_terminal, by_close},
    {by_pidfd, by_close},
    {by_pidfd_call, by_close},
    {by_shared_memory, by_close},
    {by_temporary, by_close},
    {by_pipe, by_closefrom},
    {by_fopen, by_fclose},
    {by_fdopen, by_fclose},
    {by_tmpfile, by_fclose},
    {by_freopen, by_fclose},
    {by_opendir, by_closedir},
    {by_fdopendir, by_closedir},
};
enum { WAYS = sizeof ways / sizeof *ways };

static int lowest, turns, answers;

static void go(struct way way) {
    struct thing it = way.make();
    CHECK(it.number == lowest);
    struct pollfd question = {it.number, POLLIN, 0};
    poll(&question, 1, 0);
    fsync(it.number);
    CHECK(write(it.number, "x", 0) <= 0);
    way.end(it);
}

static void *other(void *unused) {
    for (int turn = 0; turn < WAYS * WAYS; turn++) {
        invisible_wait(&turns, turn + 1);
        go(ways[turn / WAYS]);
        invisible_signal(&answers);
    }
    return unused;
}

int main(void) {
    lowest = dup(1);
    close(lowest);
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (int turn = 0; turn < WAYS * WAYS; turn++) {
        invisible_signal(&turns);
        invisible_wait(&answers, turn + 1);
        go(ways[turn % WAYS]);
    }
    pthread_join(thread, 0);
}
