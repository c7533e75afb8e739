; Assembly that loads and stores past the caches.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-instrument-memory=0 %s | %check %s --check-prefix=OFF
; OFF-NOT: call{{.*}}__goldilocks
target triple = "x86_64-pc-linux-gnu"

; Stores past the caches, as Rust's library has them, are plain ones, and loads.
; CHECK-LABEL: define void @streams(
; CHECK: call __goldilocks_write16_{{.*}}(ptr %p)
; CHECK: call void asm sideeffect inteldialect "movntdq
; CHECK: call __goldilocks_write4_{{.*}}(ptr %q)
; CHECK: call void asm sideeffect inteldialect "movnti
; CHECK: call __goldilocks_read16_{{.*}}(ptr %p)
; CHECK: call <2 x i64> asm inteldialect "movntdqa
define void @streams(ptr %p, ptr %q, <2 x i64> %v, i32 %w) {
  call void asm sideeffect inteldialect "movntdq [${0:q}],${1:x}", "r,x,~{memory}"(ptr %p, <2 x i64> %v)
  call void asm sideeffect inteldialect "movnti [${0:q}],${1:k}", "r,r,~{memory}"(ptr %q, i32 %w)
  %r = call <2 x i64> asm inteldialect "movntdqa ${0:x}, [${1:q}]", "=&x,r,~{memory}"(ptr %p)
  ret void
}

; In another form it is not seen.
; CHECK-LABEL: define void @others(
; CHECK-NOT: __goldilocks
; CHECK: ret void
define void @others(ptr %p, <2 x i64> %v) {
  call void asm sideeffect inteldialect "movntdq [${0:q} + 16],${1:x}", "r,x,~{memory}"(ptr %p, <2 x i64> %v)
  call void asm sideeffect inteldialect "movdqa [${0:q}],${1:x}", "r,x,~{memory}"(ptr %p, <2 x i64> %v)
  ret void
}
