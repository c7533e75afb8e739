// Locks in different orders that cannot deadlock: by one thread, under a common lock, by attempts, by readers, before a
// creation and after a join, of locks that were destroyed in between, by std::lock.
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "check.h"
#include "invisible.h"

struct Pair {
    std::mutex a, b;
    void forwards() {
        std::lock_guard<std::mutex> first(a), second(b);
    }
    void backwards() {
        std::lock_guard<std::mutex> first(b), second(a);
    }
};

// Runs both in threads that nothing orders, one after the other.
template <class First, class Second> static void one_after_the_other(First first, Second second) {
    static int rounds;
    int step = 0;
    rounds++;
    std::thread one([&] {
        first();
        invisible_signal(&step);
    });
    std::thread two([&] {
        invisible_wait(&step, 1);
        second();
    });
    one.join();
    two.join();
}

static Pair alone, gated, attempted, before, after, both;
static std::mutex gate;
static std::shared_mutex left, right;
static std::timed_mutex timed;

int main() {
    std::thread([] {
        alone.forwards();
        alone.backwards();
    }).join();

    one_after_the_other(
        [] {
            std::lock_guard<std::mutex> guard(gate);
            gated.forwards();
        },
        [] {
            std::lock_guard<std::mutex> guard(gate);
            gated.backwards();
        });

    one_after_the_other([] { attempted.forwards(); },
                        [] {
                            std::lock_guard<std::mutex> first(attempted.b);
                            std::unique_lock<std::mutex> second(attempted.a, std::try_to_lock);
                        });

    one_after_the_other(
        [] {
            std::shared_lock<std::shared_mutex> first(left), second(right);
        },
        [] {
            std::shared_lock<std::shared_mutex> first(right), second(left);
        });

    before.forwards();
    std::thread([] {
        before.backwards();
        after.forwards();
    }).join();
    after.backwards();

    one_after_the_other([] { std::lock(both.a, both.b); std::lock_guard<std::mutex> a(both.a, std::adopt_lock), b(both.b, std::adopt_lock); },
                        [] { std::scoped_lock guard(both.b, both.a); });

    one_after_the_other(
        [] {
            std::lock_guard<std::timed_mutex> first(timed);
            std::lock_guard<std::mutex> second(gate);
        },
        [] {
            std::lock_guard<std::mutex> first(gate);
            std::unique_lock<std::timed_mutex> second(timed, std::chrono::seconds(10));
        });

    static pthread_mutex_t a, b;
    static std::atomic<int> destroyed;
    CHECK(pthread_mutex_init(&b, 0) == 0);
    auto nest = [](pthread_mutex_t *first, pthread_mutex_t *second) {
        CHECK(pthread_mutex_lock(first) == 0);
        CHECK(pthread_mutex_lock(second) == 0);
        CHECK(pthread_mutex_unlock(second) == 0);
        CHECK(pthread_mutex_unlock(first) == 0);
    };
    one_after_the_other(
        [&] {
            CHECK(pthread_mutex_init(&a, 0) == 0);
            nest(&a, &b);
            CHECK(pthread_mutex_destroy(&a) == 0);
            destroyed = 1;
        },
        [&] {
            while (!destroyed) continue;
            // Of the same address, but another lock.
            CHECK(pthread_mutex_init(&a, 0) == 0);
            nest(&b, &a);
            CHECK(pthread_mutex_destroy(&a) == 0);
        });
    return 0;
}
