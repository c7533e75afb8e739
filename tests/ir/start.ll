; The first pass marks what is to be checked, unless the front end has. It keeps the optimizer from inventing reads,
; and from inlining an unchecked function into a checked one or the reverse.
; RUN: %opt -passes=goldilocks-start,verify -S %s | %check %s
; RUN: %opt -passes=goldilocks-start,inline,goldilocks -S %s | %check %s --check-prefix=ALL
; RUN: sed -e 's/) noinline/) sanitize_thread/' %s | %opt -passes='goldilocks-start,cgscc(inline),goldilocks' -S | %check %s --check-prefix=MARKED
target triple = "x86_64-pc-linux-gnu"

; CHECK: define void @a(ptr %p) [[A:#[0-9]+]]
; CHECK-NOT: asm
; MARKED-LABEL: define void @a(
; MARKED: call __goldilocks_write4_
; MARKED: call void @b(
define void @a(ptr %p) noinline {
  store i32 1, ptr %p
  call void @b(ptr %p)
  ret void
}

; MARKED-LABEL: define void @b(
; MARKED-NOT: asm
define void @b(ptr %p) {
  store i32 2, ptr %p
  ret void
}

; CHECK: define void @disabled(ptr %p) [[OFF:#[0-9]+]]
; ALL-LABEL: define void @disabled(
; ALL-NOT: asm
define void @disabled(ptr %p) disable_sanitizer_instrumentation {
  store i32 2, ptr %p
  ret void
}

; That no copy of a pointer is left after a call, as `noescape` promises, does not say that no thread has it meanwhile. Copies of arguments and memory for results are
; the callee's.
; CHECK: define void @promised(ptr %p, ptr noalias {{nocapture|captures\(none\)}} %own)
; CHECK: declare void @promised_elsewhere(ptr)
; CHECK: call void @promised_elsewhere(ptr %p)
; CHECK: call void @promised(ptr %p, ptr {{nocapture|captures\(none\)}} %own)
define void @promised(ptr nocapture %p, ptr noalias nocapture %own) {
  ret void
}
declare void @promised_elsewhere(ptr nocapture)
define void @calls(ptr %p, ptr %own) {
  call void @promised_elsewhere(ptr nocapture %p)
  call void @promised(ptr nocapture %p, ptr nocapture %own)
  ret void
}


; CHECK: attributes [[A]] = { noinline sanitize_thread }
; CHECK: attributes [[OFF]] = { disable_sanitizer_instrumentation }
; CHECK: !goldilocks.started = !{}
