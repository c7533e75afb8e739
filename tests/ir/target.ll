; Code for other systems is left alone, with a message.
; RUN: sed -e s/TARGET/x86_64-pc-linux-gnu/ %s | %opt -passes=goldilocks -S 2>&1 | %check %s
; RUN: sed -e s/TARGET/x86_64-unknown-linux-musl/ %s | %opt -passes=goldilocks -S 2>&1 | %check %s
; RUN: sed -e s/TARGET/i386-pc-linux-gnu/ %s | %opt -passes=goldilocks -S 2>&1 | %check %s --check-prefix=OTHER
; RUN: sed -e s/TARGET/x86_64-pc-linux-gnux32/ %s | %opt -passes=goldilocks -S 2>&1 | %check %s --check-prefix=OTHER
; RUN: sed -e s/TARGET/x86_64-apple-macosx/ %s | %opt -passes=goldilocks -S 2>&1 | %check %s --check-prefix=OTHER
target triple = "TARGET"

; CHECK-NOT: goldilocks:
; CHECK-LABEL: define void @f(
; CHECK: call __goldilocks_write4_
; OTHER: goldilocks: {{.*}}: target {{.*}} is not supported, not instrumented
; OTHER-LABEL: define void @f(
; OTHER-NEXT: store
define void @f(ptr %p) {
  store i32 1, ptr %p
  ret void
}
