; The thread-local model of the epoch tag.
; RUN: %pass %s | %check %s --check-prefix=INITIAL
; RUN: %pass -goldilocks-tls=initial-exec %s | %check %s --check-prefix=INITIAL
; RUN: %pass -goldilocks-tls=local-exec %s | %check %s --check-prefix=LOCAL
; RUN: env GOLDILOCKS_PASS=tls=local-exec %pass %s | %check %s --check-prefix=LOCAL
; RUN: %pass %s | %llc -relocation-model=pic | %check %s --check-prefix=INITIALASM
; RUN: %pass -goldilocks-tls=local-exec %s | %llc -relocation-model=pic | %check %s --check-prefix=LOCALASM
target triple = "x86_64-pc-linux-gnu"

; INITIAL: @__goldilocks_tls = external thread_local(initialexec) global i32, align 4
; LOCAL: @__goldilocks_tls = external thread_local(localexec) global i32, align 4
; INITIALASM: movq __goldilocks_tls@GOTTPOFF(%rip), [[R:%r.*]]
; INITIALASM: cmpl %fs:([[R]]),
; LOCALASM: cmpl %fs:__goldilocks_tls@TPOFF,
define void @f(ptr %p) {
  store i64 1, ptr %p, align 8
  ret void
}
