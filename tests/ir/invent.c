// The optimizer makes no read unconditional that the program makes under a condition.
// RUN: %clang -O2 -S -emit-llvm -o - %s | %check %s
// RUN: %clang -O3 -Xclang -fsanitize=thread -S -emit-llvm -o - %s | %check %s
int shared, lock_held;

// CHECK-LABEL: @conditional(
// CHECK: br i1 {{.*}}
// CHECK: call __goldilocks_read4_{{.*}}@shared
// CHECK: load i32, ptr @shared
int conditional(int held) {
  int result = 0;
  if (held)
    result = shared;
  return result;
}
