; Where small code is asked for, or a function has very many checks, tags are not compared in line.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-inline-limit=1 %s | %check %s --check-prefix=LIMIT
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @fast(
; CHECK: load atomic
; CHECK: call __goldilocks_write8_
; LIMIT-LABEL: define void @fast(
; LIMIT: load atomic
define void @fast(ptr %p) {
  store i64 1, ptr %p, align 8
  ret void
}

; CHECK-LABEL: define void @many(
; CHECK: load atomic
; LIMIT-LABEL: define void @many(
; LIMIT-NOT: load atomic
; LIMIT: call __goldilocks_write8_
; LIMIT: call __goldilocks_write8_
define void @many(ptr %p, ptr %q) {
  store i64 1, ptr %p, align 8
  store i64 1, ptr %q, align 8
  ret void
}

; CHECK-LABEL: define void @small(
; CHECK-NOT: load atomic
; CHECK: call __goldilocks_write8_
define void @small(ptr %p) optsize {
  store i64 1, ptr %p, align 8
  ret void
}
; CHECK-LABEL: define void @smallest(
; CHECK-NOT: load atomic
; CHECK: call __goldilocks_write8_
define void @smallest(ptr %p) minsize optsize {
  store i64 1, ptr %p, align 8
  ret void
}
