; Every instrumented module refers to the version of the contract with the runtime, once per linked program.
; RUN: %pass %s | %check %s
; RUN: %pass %s | %llc -filetype=obj -o %t.o && %objdump -r %t.o | %check %s --check-prefix=OBJECT
; RUN: echo 'target triple = "x86_64-pc-linux-gnu"' | %opt -passes=goldilocks -S | %check %s --check-prefix=EMPTY
target triple = "x86_64-pc-linux-gnu"

; CHECK: $__goldilocks_abi_4_reference = comdat any
; CHECK: @__goldilocks_tls = external thread_local(initialexec) global i32, align 4
; CHECK: @__goldilocks_abi_4 = external constant i8
; CHECK: @__goldilocks_abi_4_reference = linkonce_odr hidden constant ptr @__goldilocks_abi_4, comdat
; CHECK: @llvm.used = appending global [1 x ptr] [ptr @__goldilocks_abi_4_reference]
; OBJECT: R_X86_64_64 __goldilocks_abi_4
; EMPTY-NOT: __goldilocks
define void @f() {
  ret void
}
