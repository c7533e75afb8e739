; Memory that is not written while the program runs.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"
@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@changing = global i32 0

; CHECK-LABEL: define i32 @constant(
; CHECK-NOT: asm
define i32 @constant(i64 %i) {
  %p = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @variable(
; CHECK: call __goldilocks_read4_
define i32 @variable() {
  %v = load i32, ptr @changing
  ret i32 %v
}

; CHECK-LABEL: define i32 @invariant(
; CHECK-NOT: asm
define i32 @invariant(ptr %p) {
  %v = load i32, ptr %p, !invariant.load !0
  ret i32 %v
}

; The pointer to the virtual table is checked, as it is written by constructors and destructors; the table is not.
; CHECK-LABEL: define ptr @virtual(
; CHECK: call __goldilocks_read8_{{.*}}(ptr %object)
; CHECK-NOT: asm
; CHECK: ret ptr
define ptr @virtual(ptr %object) {
  %table = load ptr, ptr %object, !tbaa !1
  %slot = getelementptr inbounds ptr, ptr %table, i64 2
  %function = load ptr, ptr %slot
  ret ptr %function
}

; The same without the tag: two reads.
; CHECK-LABEL: define ptr @not_virtual(
; CHECK: asm
; CHECK: asm
define ptr @not_virtual(ptr %object) {
  %table = load ptr, ptr %object
  %slot = getelementptr inbounds ptr, ptr %table, i64 2
  %function = load ptr, ptr %slot
  ret ptr %function
}

!0 = !{}
!1 = !{!2, !2, i64 0}
!2 = !{!"vtable pointer", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
