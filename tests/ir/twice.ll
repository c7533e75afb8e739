; A function is instrumented once, however often the pass runs.
; RUN: %opt -passes=goldilocks,goldilocks,verify -S %s | %check %s
; RUN: %opt -passes=goldilocks-start,goldilocks-start,goldilocks -S %s | %opt -passes=goldilocks -S | %check %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: @llvm.used = appending global [1 x ptr] [ptr @__goldilocks_abi_4_reference]
; CHECK-LABEL: define void @f(
; CHECK: asm sideeffect "call __goldilocks_write4_{{.*}}
; CHECK-NOT: asm
; CHECK-NOT: goldilocks
; CHECK: ret void
; CHECK-NOT: tsan
define void @f(ptr %p) {
  store i32 1, ptr %p
  ret void
}
