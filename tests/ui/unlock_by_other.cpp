// A mutex in a block of the heap, unlocked by a thread that has not locked it.
// LEVELS: O1
#include <pthread.h>

#include "check.h"

struct Account {
    long balance;
    pthread_mutex_t lock;
};

__attribute__((noinline)) static void finish(Account *account) { pthread_mutex_unlock(&account->lock); }

static void *unlocker(void *account) {
    finish(static_cast<Account *>(account));
    return nullptr;
}

int main() {
    auto account = new Account;
    CHECK(pthread_mutex_init(&account->lock, nullptr) == 0);
    CHECK(pthread_mutex_lock(&account->lock) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, nullptr, unlocker, account) == 0);
    CHECK(pthread_join(thread, nullptr) == 0);
    return 0;
}
