; An argument that is passed by value is copied, and so read, by the caller.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"
%pair = type { i64, i64 }
%big = type [100 x i8]
declare void @take(ptr byval(%pair))
declare void @take_big(i32, ptr byval(%big), ...)

; CHECK-LABEL: define void @pass(
; CHECK: call __goldilocks_read16_{{.*}}(ptr %p)
; CHECK: call void @take(
define void @pass(ptr %p) {
  call void @take(ptr byval(%pair) %p)
  ret void
}

; CHECK-LABEL: define void @pass_big(
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 100)
; CHECK: call void (i32, ptr, ...) @take_big(
define void @pass_big(ptr %p) {
  call void (i32, ptr, ...) @take_big(i32 1, ptr byval(%big) %p)
  ret void
}

; CHECK-LABEL: define void @pass_private(
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks
; CHECK: ret
define void @pass_private() {
  %p = alloca %pair
  call void @take(ptr nocapture byval(%pair) %p)
  ret void
}

; CHECK-LABEL: define void @pass_invoke(
; CHECK: call __goldilocks_read16_{{.*}}(ptr %p)
; CHECK: invoke void @take(
define void @pass_invoke(ptr %p) personality ptr @personality {
  invoke void @take(ptr byval(%pair) %p) to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
declare i32 @personality(...)
