; The machine code of a check: nothing is spilled, the only call is that of the stub, out of the way.
; RUN: %pass -goldilocks-tls=local-exec -goldilocks-adjacent=0 %s | %llc -O2 | %check %s
target triple = "x86_64-pc-linux-gnu"

; A write of eight bytes: six instructions on the way.
; CHECK-LABEL: write8:
; CHECK: pushq %rbp
; CHECK: movq %rsp, %rbp
; CHECK-NOT: %rsp
; CHECK: movabsq $70368744177664, [[S:%r..]]
; CHECK-NEXT: xorq %rdi, [[S]]
; CHECK-NEXT: movl 66624([[S]]), [[T:%e..]]
; CHECK-NEXT: cmpl %fs:__goldilocks_tls@TPOFF, [[T]]
; CHECK-NEXT: jne [[COLD:.*]]
; CHECK-NEXT: [[GO:\..*]]:
; CHECK-NEXT: movq $1, (%rdi)
; CHECK-NEXT: popq %rbp
; CHECK: retq
; CHECK: [[COLD]]:
; CHECK: callq __goldilocks_write8_rdi
; CHECK: jmp [[GO]]
define void @write8(ptr %p) {
  store i64 1, ptr %p, align 8
  ret void
}

; Fields share the shadow address of their object, and only the stubs need their own addresses.
; CHECK-LABEL: fields:
; CHECK: xorq %rdi, [[S:%r..]]
; CHECK: movl 66624([[S]]),
; CHECK: jne
; CHECK-NOT: lea
; CHECK-NOT: xorq
; CHECK: movl 66632([[S]]),
; CHECK: jne
; CHECK-NOT: lea
; CHECK-NOT: xorq
; CHECK: movl 66640([[S]]),
; CHECK: xorl %fs:__goldilocks_tls@TPOFF, [[X:%e..]]
; CHECK-NEXT: testl $-241, [[X]]
; CHECK-NEXT: jne
; CHECK: retq
; CHECK: callq __goldilocks_write8_rdi
; CHECK: leaq 8(%rdi), %r[[A:..]]
; CHECK: callq __goldilocks_write8_r[[A]]
; CHECK: leaq 16(%rdi), %r[[A:..]]
; CHECK: callq __goldilocks_write4_r[[A]]
define void @fields(ptr align 8 %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %r = getelementptr inbounds i8, ptr %p, i64 16
  store i64 1, ptr %p
  store i64 1, ptr %q
  store i32 1, ptr %r
  ret void
}

; Six arguments in registers, and two in the registers that have a different way of naming: none is spilled.
; CHECK-LABEL: many:
; CHECK-NOT: (%rsp)
; CHECK-NOT: (%rbp)
; CHECK-DAG: callq __goldilocks_write8_rdi
; CHECK-DAG: callq __goldilocks_write8_rsi
; CHECK-DAG: callq __goldilocks_write8_rdx
; CHECK-DAG: callq __goldilocks_write8_rcx
; CHECK-DAG: callq __goldilocks_write8_r8
; CHECK-DAG: callq __goldilocks_write8_r9
; CHECK: .Lfunc_end
define void @many(ptr %a, ptr %b, ptr %c, ptr %d, ptr %e, ptr %f) {
  store i64 1, ptr %a, align 8
  store i64 1, ptr %b, align 8
  store i64 1, ptr %c, align 8
  store i64 1, ptr %d, align 8
  store i64 1, ptr %e, align 8
  store i64 1, ptr %f, align 8
  ret void
}

; The frame is there before the first check, even where the function needs none on that path.
; CHECK-LABEL: early:
; CHECK-NOT: %fs:
; CHECK: pushq %rbp
; CHECK: %fs:
declare void @slow()
define void @early(ptr %p) {
  %v = load i64, ptr %p, align 8
  %c = icmp eq i64 %v, 0
  br i1 %c, label %out, label %in
in:
  call void @slow()
  ret void
out:
  ret void
}

; Checks of equal code on different lines are not merged: their return addresses are positions.
; CHECK-LABEL: same:
; CHECK: callq __goldilocks_write4_
; CHECK: callq __goldilocks_write4_
; CHECK: .Lfunc_end
define void @same(i1 %c, ptr %p) minsize optsize {
  br i1 %c, label %a, label %b
a:
  call void @slow()
  store i32 1, ptr %p
  ret void
b:
  call void @other()
  store i32 1, ptr %p
  ret void
}
declare void @other()

; No jump to another function, which would lose this one's frame.
; CHECK-LABEL: tail:
; CHECK: callq slow
; CHECK: retq
define void @tail() {
  tail call void @slow()
  ret void
}
