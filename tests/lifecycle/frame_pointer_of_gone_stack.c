// Code that has no frame pointers uses the register for anything: it may hold an address in a coroutine's stack that is gone by now.
// LEVELS: O0 O1
// FLAGS: -D_GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

// Calls `function(argument)` with the register as it is told.
void call_with(void (*function)(void *), void *argument, void *rbp);
// Calls `function` on another stack.
void call_on(void (*function)(void), void *top);
__asm__(
    ".text\n"
    ".type call_with,@function\n"
    "call_with: push %rbp\n mov %rdi,%rax\n mov %rsi,%rdi\n mov %rdx,%rbp\n call *%rax\n pop %rbp\n ret\n"
    ".type call_on,@function\n"
    "call_on: push %rbp\n mov %rsp,%rbp\n mov %rsi,%rsp\n call *%rdi\n mov %rbp,%rsp\n pop %rbp\n ret\n");

enum { BYTES = 1 << 17 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *frame;
static ucontext_t own, other;

static void use(void *rbp) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, 0);
    call_with((void (*)(void *))pthread_mutex_lock, &mutex, rbp);
    call_with((void (*)(void *))pthread_mutex_unlock, &mutex, rbp);
    call_with((void (*)(void *))pthread_mutex_destroy, &mutex, rbp);
}

static __attribute__((noinline)) void change(void) {
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
}

static __attribute__((noinline)) void inner(void) {
    frame = __builtin_frame_address(0);
    for (int i = 0; i < 3; i++) {
        change();
        // What is found from here is remembered by the frame.
        use(frame);
    }
}

static void body(void) {
    change();
    inner();
    change();
}

static void *thread(void *unused) {
    change();
    return unused;
}

static char *new_stack(void) {
    return mmap(0, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
    pthread_t second;
    pthread_create(&second, 0, thread, 0);

    char *stack = new_stack();
    call_on(body, stack + BYTES - 64);
    munmap(stack, BYTES);
    use(frame);
    use((char *)frame - 64);

    stack = new_stack();
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = BYTES;
    other.uc_link = &own;
    makecontext(&other, body, 0);
    swapcontext(&own, &other);
    munmap(stack, BYTES);
    use(frame);
    use((void *)8);
    use((void *)-8);
    use((void *)-16);
    use((void *)0xdeadbeefcafe);
    pthread_join(second, 0);
    return 0;
}
