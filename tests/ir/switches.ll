; Kinds of accesses can be switched off.
; RUN: %pass -goldilocks-instrument-reads=0 %s | %check %s --check-prefix=NOREADS
; RUN: %pass -goldilocks-instrument-writes=0 %s | %check %s --check-prefix=NOWRITES
; RUN: %pass -goldilocks-stats %s 2>&1 >/dev/null | %check %s --check-prefix=STATS
; RUN: env GOLDILOCKS_PASS="instrument-reads=0 nonsense" %pass %s 2>&1 | %check %s --check-prefixes=NOREADS,WORD
target triple = "x86_64-pc-linux-gnu"

; WORD: goldilocks: GOLDILOCKS_PASS: unknown option nonsense
; NOREADS-NOT: call __goldilocks_read
; NOREADS: call __goldilocks_write8_
; NOREADS-NOT: call __goldilocks_read
; NOWRITES-NOT: call __goldilocks_write
; NOWRITES: call __goldilocks_read4_
; NOWRITES-NOT: call __goldilocks_write
; STATS: goldilocks: {{.*}}: functions=1 reads=1 writes=1 ranges=0 atomics=0
define void @f(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  store i64 1, ptr %q
  ret void
}
