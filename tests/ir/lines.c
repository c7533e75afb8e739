// What LLVM moves out of a loop keeps its line; of a variable that is kept in a register meanwhile, the accesses outside of the loop have
// the line of one in it that is certain to be made, if there is one.
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O1 -g -S -emit-llvm -o - %s | %check %s
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O2 -g -S -emit-llvm -o - %s | %check %s
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O3 -g -S -emit-llvm -o - %s | %check %s
long opaque(long);
extern long value, target, sum, latest;

// CHECK-LABEL: @moved(
// CHECK: call __goldilocks_read8_{{.*}} !dbg [[MOVED_READ:![0-9]+]]
// CHECK: call __goldilocks_write8_{{.*}} !dbg [[MOVED_WRITE:![0-9]+]]
void moved(long n, long *__restrict to) {
  opaque(n);
  for (long i = 0; i < n; i++) {
    to[i] ^=
#line 101
        value;
#line 102
    target = n;
  }
  opaque(1);
}

// CHECK-LABEL: @promoted(
// CHECK: call __goldilocks_read8_{{.*}} !dbg [[SUM:![0-9]+]]
// CHECK: call __goldilocks_write8_{{.*}} !dbg [[SUM_WRITE:![0-9]+]]
void promoted(long n, const long *__restrict from) {
  opaque(n);
  for (long i = 0; i < n; i++) {
#line 201
    sum =
#line 202
        sum + (from[i] ^ i);
  }
  opaque(2);
}

// Of two writes the one that every iteration makes says it.
// CHECK-LABEL: @sometimes(
// CHECK: call __goldilocks_read8_{{.*}} !dbg [[LATEST:![0-9]+]]
// CHECK: call __goldilocks_write8_{{.*}} !dbg [[LATEST_WRITE:![0-9]+]]
void sometimes(long n, const long *__restrict from, long *__restrict to) {
  opaque(n);
  for (long i = 0; i < n; i++) {
#line 301
    latest = latest * 3 + from[i];
    if (from[i] & 1) {
      to[i] = i;
#line 304
      latest = 5;
    }
  }
  opaque(3);
}

// CHECK-DAG: [[MOVED_READ]] = !DILocation(line: 101,
// CHECK-DAG: [[MOVED_WRITE]] = !DILocation(line: 102,
// CHECK-DAG: [[SUM]] = !DILocation(line: 202,
// CHECK-DAG: [[SUM_WRITE]] = !DILocation(line: 201,
// CHECK-DAG: [[LATEST]] = !DILocation(line: 301,
// CHECK-DAG: [[LATEST_WRITE]] = !DILocation(line: 301,
