// Threads that unlock at the last moment: in cleanup handlers, in destructors of thread-local and thread-specific data; and
// robust mutexes, which may be left locked.
#include <errno.h>
#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, robust;
static pthread_key_t key;
static std::mutex mutex;
static std::condition_variable changed;
static bool done;

static void *specific(void *unused) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    CHECK(pthread_setspecific(key, &lock) == 0);
    return unused;
}

struct Unlocker {
    ~Unlocker() { CHECK(pthread_mutex_unlock(&lock) == 0); }
    void arm() {}
};
static thread_local Unlocker unlocker;

static void *local(void *unused) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    unlocker.arm();
    return unused;
}

static void *cleaned(void *unused) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &lock);
    pthread_exit(0);
    pthread_cleanup_pop(1);
    return unused;
}

static void *dies(void *unused) {
    CHECK(pthread_mutex_lock(&robust) == 0);
    return unused;
}

int main() {
    CHECK(pthread_key_create(&key, (void (*)(void *))pthread_mutex_unlock) == 0);
    for (auto body : {specific, local, cleaned}) {
        pthread_t thread;
        CHECK(pthread_create(&thread, 0, body, 0) == 0);
        CHECK(pthread_join(thread, 0) == 0);
    }
    std::thread([] {
        std::unique_lock<std::mutex> guard(mutex);
        done = true;
        std::notify_all_at_thread_exit(changed, std::move(guard));
    }).detach();
    {
        std::unique_lock<std::mutex> guard(mutex);
        changed.wait(guard, [] { return done; });
    }
    pthread_mutexattr_t attributes;
    CHECK(pthread_mutexattr_init(&attributes) == 0);
    CHECK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    CHECK(pthread_mutex_init(&robust, &attributes) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, dies, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    CHECK(pthread_mutex_lock(&robust) == EOWNERDEAD);
    CHECK(pthread_mutex_consistent(&robust) == 0);
    CHECK(pthread_mutex_unlock(&robust) == 0);
    CHECK(pthread_mutex_destroy(&robust) == 0);
    return 0;
}
