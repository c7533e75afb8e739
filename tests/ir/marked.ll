; Functions that the front end has marked with sanitize_thread are checked. The others are no_sanitize("thread"):
; synchronization and call stacks are still tracked.
; RUN: %pass %s | %check %s
; RUN: sed -e 's/) sanitize_thread/)/' %s | %opt -goldilocks-marked -passes=goldilocks -S | %check %s --check-prefix=NONE
target triple = "x86_64-pc-linux-gnu"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @take(ptr byval(i64))

; CHECK-LABEL: define void @checked(
; CHECK: call __goldilocks_write4_
; NONE-LABEL: define void @checked(
; NONE-NOT: asm
define void @checked(ptr %p) sanitize_thread {
  store i32 1, ptr %p
  ret void
}

; CHECK: define void @unchecked(ptr %p, ptr %a) [[UNCHECKED:#[0-9]+]] {
; CHECK-NOT: asm
; CHECK: store i32 1
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: call void @take
; CHECK-NEXT: call void @__goldilocks_atomic_store4(ptr %a, i64 1, i32 12548)
; CHECK-NEXT: call void @__goldilocks_fence(i32 5)
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: store i64 {{.*}} @__goldilocks_tls
; CHECK-NEXT: ret void
define void @unchecked(ptr %p, ptr %a) {
  store i32 1, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 100, i1 false)
  call void @take(ptr byval(i64) %p)
  store atomic i32 1, ptr %a release, align 4
  fence seq_cst
  ret void
}

; What stands in the way of ThreadSanitizer's own passes, which the front end then runs too.
; CHECK: declare void @tsan.module_ctor()
; CHECK: attributes [[UNCHECKED]] = { disable_sanitizer_instrumentation noredzone "disable-tail-calls"="true" "frame-pointer"="all"
