; What is not the program's shared memory: segments, the compiler's own accesses and counters, swifterror slots.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"
@__profc_f = private global [3 x i64] zeroinitializer
@__llvm_gcov_ctr = internal global [1 x i64] zeroinitializer
@profit = global i64 0

; CHECK-LABEL: define void @segment(
; CHECK-NEXT: store
; CHECK-NEXT: atomicrmw
; CHECK-NEXT: ret
define void @segment(ptr addrspace(257) %p) {
  store i32 1, ptr addrspace(257) %p
  %old = atomicrmw add ptr addrspace(257) %p, i32 1 seq_cst
  ret void
}

; CHECK-LABEL: define void @own(
; CHECK-NEXT: store
; CHECK-NEXT: ret
define void @own(ptr %p) {
  store i32 1, ptr %p, !nosanitize !0
  ret void
}

; CHECK-LABEL: define void @counter(
; CHECK-NOT: asm
; CHECK-NOT: __goldilocks
; CHECK: ret
define void @counter() {
  %v = load i64, ptr @__profc_f
  store i64 %v, ptr @__profc_f
  store i64 %v, ptr getelementptr inbounds ([3 x i64], ptr @__profc_f, i32 0, i32 1)
  %place = getelementptr inbounds [3 x i64], ptr @__profc_f, i64 0, i64 %v
  store i64 %v, ptr %place
  %old = atomicrmw add ptr @__llvm_gcov_ctr, i64 1 monotonic
  ret void
}

; CHECK-LABEL: define void @not_counter(
; CHECK: call __goldilocks_write8_
define void @not_counter() {
  store i64 1, ptr @profit
  ret void
}

; CHECK-LABEL: define ptr @swift(
; CHECK-NOT: asm
define ptr @swift(ptr swifterror %p) {
  %v = load ptr, ptr %p
  ret ptr %v
}

!0 = !{}
