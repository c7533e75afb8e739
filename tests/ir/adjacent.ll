; Fields next to each other are checked as one.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-adjacent=0 %s | %check %s --check-prefix=OFF
target triple = "x86_64-pc-linux-gnu"
declare void @unknown()

; CHECK-LABEL: define void @four(
; CHECK: call __goldilocks_write16_
; CHECK-NOT: asm
; CHECK: ret void
; OFF-LABEL: define void @four(
; OFF-COUNT-4: call __goldilocks_write4_
define void @four(ptr align 8 %p) {
  store i32 1, ptr %p, align 8
  %b = getelementptr inbounds i8, ptr %p, i64 4
  store i32 2, ptr %b, align 4
  %c = getelementptr inbounds i8, ptr %p, i64 8
  store i32 3, ptr %c, align 8
  %d = getelementptr inbounds i8, ptr %p, i64 12
  store i32 4, ptr %d, align 4
  ret void
}

; Not next to each other.
; CHECK-LABEL: define void @gap(
; CHECK: call __goldilocks_write4_
; CHECK: call __goldilocks_write4_
define void @gap(ptr align 8 %p) {
  store i32 1, ptr %p, align 8
  %b = getelementptr inbounds i8, ptr %p, i64 8
  store i32 2, ptr %b, align 4
  ret void
}

; Not of one kind.
; CHECK-LABEL: define void @kinds(
; CHECK: call __goldilocks_write4_
; CHECK: call __goldilocks_read4_
define void @kinds(ptr align 8 %p) {
  store i32 1, ptr %p, align 8
  %b = getelementptr inbounds i8, ptr %p, i64 4
  %v = load volatile i32, ptr %b, align 4
  ret void
}

; Something may come between, or the second may not happen.
; CHECK-LABEL: define void @between(
; CHECK: call __goldilocks_write4_
; CHECK: call void @unknown
; CHECK: call __goldilocks_write4_
define void @between(ptr align 8 %p) {
  store i32 1, ptr %p, align 8
  call void @unknown()
  %b = getelementptr inbounds i8, ptr %p, i64 4
  store i32 2, ptr %b, align 4
  ret void
}
; CHECK-LABEL: define void @blocks(
; CHECK: call __goldilocks_write4_
; CHECK: call __goldilocks_write4_
define void @blocks(ptr align 8 %p, i1 %c) {
  store i32 1, ptr %p, align 8
  br i1 %c, label %yes, label %no
yes:
  %b = getelementptr inbounds i8, ptr %p, i64 4
  store i32 2, ptr %b, align 4
  br label %no
no:
  ret void
}

; A size that has no check of its own.
; CHECK-LABEL: define void @twelve(
; CHECK: call __goldilocks_write8_
; CHECK: call __goldilocks_write4_
define void @twelve(ptr %p) {
  store i64 1, ptr %p, align 8
  %b = getelementptr inbounds i8, ptr %p, i64 8
  store i32 2, ptr %b, align 8
  ret void
}

; The second in memory is the first in time: a check of both would come too late for it.
; CHECK-LABEL: define void @backwards(
; CHECK: call __goldilocks_write4_
; CHECK: store i32 1, ptr %b
; CHECK: call __goldilocks_write4_
define void @backwards(ptr align 8 %p) {
  %b = getelementptr inbounds i8, ptr %p, i64 4
  store i32 1, ptr %b, align 4
  store i32 2, ptr %p, align 8
  ret void
}
; CHECK-LABEL: define void @first_part_last(
; CHECK: call __goldilocks_write8_
; CHECK: store i32 1, ptr %b
; CHECK: call __goldilocks_write8_
define void @first_part_last(ptr align 8 %p) {
  %b = getelementptr inbounds i8, ptr %p, i64 8
  store i32 1, ptr %b, align 4
  store i64 3, ptr %p, align 8
  %c = getelementptr inbounds i8, ptr %p, i64 12
  store i32 2, ptr %c, align 4
  ret void
}

; Vectors of an unrolled loop, up to a cache line.
; CHECK-LABEL: define void @line(
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 64)
; CHECK-NOT: asm
; CHECK: ret void
; OFF-LABEL: define void @line(
; OFF-COUNT-4: call __goldilocks_write16_
define void @line(ptr %p) {
  store <4 x i32> zeroinitializer, ptr %p, align 16
  %b = getelementptr inbounds i8, ptr %p, i64 16
  store <4 x i32> zeroinitializer, ptr %b, align 16
  %c = getelementptr inbounds i8, ptr %p, i64 32
  store <4 x i32> zeroinitializer, ptr %c, align 16
  %d = getelementptr inbounds i8, ptr %p, i64 48
  store <4 x i32> zeroinitializer, ptr %d, align 16
  ret void
}
