// A loop keeps a variable in a register only if it reads the variable whenever it is entered: the load before it is real.
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O1 -S -emit-llvm -o - %s | %check %s --check-prefixes=CHECK,ROTATED
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O2 -S -emit-llvm -o - %s | %check %s --check-prefixes=CHECK,ROTATED
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O3 -S -emit-llvm -o - %s | %check %s --check-prefixes=CHECK,ROTATED
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -Os -S -emit-llvm -o - %s | %check %s --check-prefixes=CHECK,ROTATED
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -Oz -S -emit-llvm -o - %s | %check %s
long opaque(long);
unsigned char bytes[64];
long sum;

// There may be no iteration. The number of iterations is known before, so the sum is a product.
// CHECK-LABEL: @counted(
// CHECK-NOT: @sum
// CHECK: br i1
// CHECK: load i64, ptr @sum
void counted(long v) {
  for (long i = 0, n = opaque(0); i < n; i++) {
    sum += v;
    __builtin_memmove(bytes + 22, bytes + 12, 35);
  }
  opaque(1);
}

// There may be none in which the condition holds.
// CHECK-LABEL: @sometimes(
// CHECK-NOT: @rare
// CHECK: load i8
// CHECK-NOT: @rare
// CHECK: br i1
// CHECK: load i64, ptr @rare
static long rare;
void sometimes(const char *__restrict which, long n) {
  for (long i = 0; i < n; i++)
    if (which[i])
      rare++;
}

// It may be left before, by the second of its exits.
// CHECK-LABEL: @searched(
// CHECK-NOT: @passed
// CHECK: load i8
// CHECK-NOT: @passed
// CHECK: br i1
// CHECK: load i64, ptr @passed
static long passed;
void searched(const char *__restrict where, long n) {
  for (long i = 0; i < n; i++) {
    if (where[i])
      break;
    passed++;
  }
}

// Of a variable that is written in every iteration, but read in some only, the value before the loop is nobody's business.
// CHECK-LABEL: @written(
// CHECK-NOT: load i64, ptr @latest
// CHECK: load i8
// CHECK-NOT: load i64, ptr @latest
// CHECK: br i1
static long latest;
void written(const char *__restrict which, long n) {
  long old = 0;
  for (long i = 0; i < n; i++) {
    if (which[i])
      old += latest;
    latest = i;
  }
  opaque(old);
}

// A member of an object whose address is known to be valid, computed in the loop.
// CHECK-LABEL: @member(
// CHECK-NOT: load i64
// CHECK: load i8
// CHECK-NOT: load i64
// CHECK: br i1
// CHECK: load i64
struct Counters {
  long all, some;
};
void member(const char *__restrict which, long n, struct Counters counters[static restrict 1]) {
  for (long i = 0; i < n; i++)
    if (which[i])
      counters->some++;
}

// What every iteration reads is still kept in a register, once it is known that there is one.
// CHECK-LABEL: @always(
// ROTATED: load i64, ptr @often
// ROTATED-NOT: load i64, ptr @often
// ROTATED: load {{i32|<}}
// ROTATED-NOT: load i64, ptr @often
static long often;
void always(const int *__restrict which, long n) {
  for (long i = 0; i < n; i++)
    often += which[i] ^ i;
}

long *all_of_them[] = {&rare, &passed, &latest, &often};
