// More locks than sets of locks are told apart, one for each object.
#include <pthread.h>

enum { COUNT = 3000 };
struct object {
    pthread_mutex_t lock;
    int value;
};
struct object objects[COUNT];

static void *work(void *argument) {
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COUNT; i++) {
            int locks = 1;
            (void)argument;
            if (locks) pthread_mutex_lock(&objects[i].lock);
            objects[i].value++;
            if (locks) pthread_mutex_unlock(&objects[i].lock);
        }
    return 0;
}

int main(void) {
    for (int i = 0; i < COUNT; i++) pthread_mutex_init(&objects[i].lock, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, objects);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
