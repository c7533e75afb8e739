// No read is moved past what may order it: where its value is used in some cases only, it stays where it was before that.
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O1 -S -emit-llvm -o - %s | %check %s
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O2 -S -emit-llvm -o - %s | %check %s
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O3 -S -emit-llvm -o - %s | %check %s
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -Os -S -emit-llvm -o - %s | %check %s
#include <pthread.h>
#include <stdatomic.h>

void take(int);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
// Nobody else can have its address.
static int guarded;

// CHECK-LABEL: @unlocks(
// CHECK: call i32 @pthread_mutex_lock
// CHECK: load i32, ptr @guarded
// CHECK: call i32 @pthread_mutex_unlock
// CHECK: br i1
void unlocks(int useful) {
  pthread_mutex_lock(&mutex);
  int value = guarded;
  pthread_mutex_unlock(&mutex);
  if (useful)
    take(value);
}

// CHECK-LABEL: @releases(
// CHECK: load i32, ptr @guarded
// CHECK: @__goldilocks_atomic_store4
// CHECK: br i1
void releases(int useful) {
  int value = guarded;
  atomic_store_explicit(&flag, 1, memory_order_release);
  if (useful)
    take(value);
}

// CHECK-LABEL: @fences(
// CHECK: load i32, ptr @guarded
// CHECK: @__goldilocks_{{.*}}fence
// CHECK: br i1
void fences(int useful) {
  int value = guarded;
  atomic_thread_fence(memory_order_release);
  if (useful)
    take(value);
}

// CHECK-LABEL: @acquires(
// CHECK: load i32, ptr @guarded
// CHECK: @__goldilocks_atomic_load4
// CHECK: br i1
void acquires(int useful) {
  int value = guarded;
  if (atomic_load_explicit(&flag, memory_order_acquire) && useful)
    take(value);
}

// Where nothing is between, it is moved, so that there is no read where no value is wanted.
// CHECK-LABEL: @plain(
// CHECK: br i1
// CHECK: load i32, ptr @guarded
void plain(const int *condition) {
  int value = guarded;
  if (*condition)
    take(value);
}

void set(int value) {
  pthread_mutex_lock(&mutex);
  guarded = value;
  pthread_mutex_unlock(&mutex);
}
