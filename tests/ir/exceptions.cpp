// Exceptions, virtual calls and thread-local initialization at every level, with the verifier after the pass.
// RUN: %clangxx -std=c++17 -O0 -S -emit-llvm -o - %s | %opt -passes=verify -S | %check %s
// RUN: %clangxx -std=c++17 -O1 -g -S -emit-llvm -o - %s | %opt -passes=verify -S | %check %s
// RUN: %clangxx -std=c++17 -O2 -g -fPIC -S -emit-llvm -o - %s | %opt -passes=verify -S | %check %s
// RUN: %clangxx -std=c++17 -O3 -march=x86-64-v4 -S -emit-llvm -o - %s | %opt -passes=verify -S | %check %s
// RUN: %clangxx -std=c++17 -Os -flto -S -emit-llvm -o - %s | %opt -passes=verify -S | %check %s
// RUN: %clangxx -std=c++17 -O2 -g -c -o %t.o %s
// RUN: %clangxx -std=c++17 -O0 -g -fPIC -c -o %t.o %s

struct Node {
  virtual ~Node();
  virtual int value(int) = 0;
  Node *next;
};

int make();
thread_local int counter = make();

// CHECK-LABEL: @_Z5totalP4Nodei(
// CHECK: call {{\*?}}__goldilocks_read8_
// CHECK: invoke
// CHECK: landingpad
int total(Node *node, int limit) {
  int sum = 0;
  for (; node; node = node->next) {
    try {
      sum += node->value(limit);
      if (sum > limit)
        throw sum;
    } catch (int &caught) {
      sum -= caught;
      node->next = nullptr;
    }
  }
  return sum + counter;
}

// CHECK-LABEL: @_Z5scalePfPKfi(
// CHECK: __goldilocks_{{read|write}}
void scale(float *__restrict out, const float *__restrict in, int n) {
  for (int i = 0; i < n; i++)
    if (in[i] > 0)
      out[i] = in[i] * 2;
}
