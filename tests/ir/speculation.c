// What a loop does not read, because a condition does not hold, or because it is in between, is not read by masked loads that become plain ones.
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O2 -mavx2 -S -emit-llvm -o - %s | %check %s
// RUN: env GOLDILOCKS_PASS=inline=0 %clang -O3 -march=x86-64-v4 -S -emit-llvm -o - %s | %check %s
long values[32];
int condition[32];
struct {
  int read, written;
} pairs[16];
int copies[8];

// CHECK-LABEL: @conditional(
// CHECK: call <{{[48]}} x i64> @llvm.masked.load
// CHECK-NOT: load <{{[48]}} x i64>, ptr @values
// CHECK-NOT: asm "", "=r,0"
// CHECK: ret
long conditional(int bits) {
  long sum = 0;
  for (int i = 0; i < 32; i++)
    if (condition[i] & bits)
      sum += values[i];
  return sum;
}

// However it is done, no more than four bytes at a time.
// CHECK-LABEL: @between(
// CHECK-NOT: __goldilocks_read_range(ptr @pairs, i64 {{[0-9][0-9]}}
// CHECK-NOT: __goldilocks_read{{8|16}}_
// CHECK-NOT: asm "", "=r,0"
// CHECK: ret
void between(void) {
  copies[0] = pairs[0].read * 3 + 1;
  copies[1] = pairs[1].read * 3 + 1;
  copies[2] = pairs[2].read * 3 + 1;
  copies[3] = pairs[3].read * 3 + 1;
  copies[4] = pairs[4].read * 3 + 1;
  copies[5] = pairs[5].read * 3 + 1;
  copies[6] = pairs[6].read * 3 + 1;
  copies[7] = pairs[7].read * 3 + 1;
}
