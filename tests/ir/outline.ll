; -goldilocks-inline=0: every access calls its check.
; RUN: %pass -goldilocks-inline=0 %s | %check %s
; RUN: env GOLDILOCKS_PASS=inline=0 %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @f(
; CHECK-NEXT: call void asm sideeffect "call __goldilocks_write4_${0:V} # 0", "r,~{dirflag},~{fpsr},~{flags}"(ptr %p)
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: [[Q:%.*]] = getelementptr inbounds i8, ptr %p, i64 8
; CHECK-NEXT: [[R:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK-NEXT: call void @__goldilocks_write_range(ptr [[R]], i64 3)
; CHECK-NEXT: store i24 1, ptr [[Q]]
define void @f(ptr %p) {
  store i32 1, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 8
  store i24 1, ptr %q
  ret void
}
