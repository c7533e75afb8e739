// The optimizer makes no read unconditional that the program makes under a condition.
// RUN: %clang -O1 -S -emit-llvm -o - %s | %check %s
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

unsigned char bytes[64];

// What a loop keeps in a register is not read before it is known that there is an iteration.
// CHECK-LABEL: @zero_trip(
// CHECK-NOT: __goldilocks_read1
// CHECK: br i1
// CHECK: call __goldilocks_read1_{{.*}}@bytes
void zero_trip(long n, unsigned char v) {
  for (long i = 0; i < n; i++) {
    bytes[3] += v;
    __builtin_memmove(bytes + 22, bytes + 12, 35);
  }
}
