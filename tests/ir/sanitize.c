// clang with -Xclang -fsanitize=thread, which makes the front end mark what is to be checked: no_sanitize is honoured,
// and nothing of ThreadSanitizer's own instrumentation appears.
// RUN: %clang -O0 -Xclang -fsanitize=thread -S -emit-llvm -o - %s | %check %s
// RUN: %clang -O2 -Xclang -fsanitize=thread -S -emit-llvm -o - %s | %check %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | %check %s --check-prefix=PLAIN
// RUN: %clang -O2 -Xclang -fsanitize=thread -c -o %t.o %s && %objdump -t %t.o | %check %s --check-prefix=OBJECT
#include <stdatomic.h>

#if __has_feature(thread_sanitizer)
int feature;
#endif

// CHECK: @feature = {{.*}}global i32
// CHECK-NOT: @llvm.global_ctors
// CHECK-NOT: __tsan_
// OBJECT-NOT: tsan

// CHECK-LABEL: @unchecked(
// CHECK-NOT: asm
// CHECK: call void @__goldilocks_atomic_store4
// PLAIN-LABEL: @unchecked(
// PLAIN: call __goldilocks_write4_
__attribute__((no_sanitize("thread"))) void unchecked(int *p, _Atomic int *a) {
  *p = 1;
  atomic_store(a, 1);
}

// CHECK-LABEL: @unchecked_old_style(
// CHECK-NOT: asm
// CHECK: ret void
__attribute__((no_sanitize_thread)) void unchecked_old_style(int *p) { *p = 1; }

// CHECK-LABEL: @disabled(
// CHECK-NOT: asm
// CHECK-NOT: __goldilocks
// CHECK: ret void
// PLAIN-LABEL: @disabled(
// PLAIN-NOT: __goldilocks
// PLAIN: ret void
__attribute__((disable_sanitizer_instrumentation)) void disabled(int *p, _Atomic int *a) {
  *p = 1;
  atomic_store(a, 1);
}

// CHECK-LABEL: @checked(
// CHECK: call __goldilocks_write4_
// CHECK: call void @__goldilocks_atomic_store4
// CHECK: call void @unchecked(
// CHECK: ret void
void checked(int *p, _Atomic int *a) {
  *p = 1;
  atomic_store(a, 1);
  unchecked(p + 1, a);
}
