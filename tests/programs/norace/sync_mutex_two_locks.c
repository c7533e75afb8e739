// Three threads hold two of three locks each, so that any two have one in common.
#include <pthread.h>

int value;
static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void with(int a, int b) {
    pthread_mutex_lock(&locks[a]);
    pthread_mutex_lock(&locks[b]);
    value++;
    pthread_mutex_unlock(&locks[b]);
    pthread_mutex_unlock(&locks[a]);
}
static void *ab(void *unused) {
    with(0, 1);
    return unused;
}
static void *bc(void *unused) {
    with(1, 2);
    return unused;
}
static void *ac(void *unused) {
    with(0, 2);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, ab, 0);
    pthread_create(&threads[1], 0, bc, 0);
    pthread_create(&threads[2], 0, ac, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    pthread_join(threads[2], 0);
    return 0;
}
