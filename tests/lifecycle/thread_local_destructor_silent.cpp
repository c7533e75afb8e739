// Thread-local destructors, keys with destructors that set values again, and cleanup handlers run before the thread's end,
// which a join waits for.
#include <pthread.h>
#include <thread>
#include <vector>

static volatile long shared;
static pthread_key_t key;

struct Own {
    std::vector<int> numbers;
    ~Own() { shared = shared + static_cast<long>(numbers.size()); }
};
static thread_local Own own;

static void key_destructor(void *value) {
    shared = shared + 1;
    if (value == reinterpret_cast<void *>(1)) pthread_setspecific(key, reinterpret_cast<void *>(2));
}

static void cleanup(void *) {
    shared = shared + 1;
}

int main() {
    pthread_key_create(&key, key_destructor);
    for (int i = 0; i < 10; i++) {
        std::thread thread([] {
            own.numbers.resize(100);
            pthread_setspecific(key, reinterpret_cast<void *>(1));
            pthread_cleanup_push(cleanup, nullptr);
            pthread_exit(nullptr);
            pthread_cleanup_pop(0);
        });
        thread.join();
        shared = shared + 1;
    }
    return shared == 10 * (100 + 2 + 1 + 1) ? 0 : 1;
}
